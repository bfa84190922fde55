import {
  createApiToken,
  deleteApiToken,
  getAllApiTokens,
  getApiTokensByName,
  updateApiToken,
} from '../resources/api-tokens/operations.js'
import { getAllClientFeatures, getClientFeature } from '../resources/client-features/operations.js'
import { registerClientApplication, registerFrontendClient } from '../resources/client-instances/operations.js'
import {
  clientBulkMetrics,
  registerClientMetrics,
  registerFrontendMetrics,
} from '../resources/client-metrics/operations.js'
import { getFeatureUsageSummary, getRawFeatureMetrics } from '../resources/client-metrics/read-operations.js'
import { constraintOperations } from '../resources/constraints/operations.js'
import { contextFieldOperations } from '../resources/context-fields/operations.js'
import { dependencyOperations } from '../resources/dependencies/operations.js'
import { environmentVariantOperations } from '../resources/environment-variants/operations.js'
import { environmentOperations } from '../resources/environments/operations.js'
import { getEvents } from '../resources/events/operations.js'
import { favoriteOperations } from '../resources/favorites/operations.js'
import { featureEnvironmentOperations } from '../resources/feature-environments/operations.js'
import { featureTypeOperations } from '../resources/feature-types/operations.js'
import { archiveOperations } from '../resources/features/archive-operations.js'
import { featureChangeOperations } from '../resources/features/change-operations.js'
import { cloneOperations } from '../resources/features/clone-operations.js'
import { featureOperations } from '../resources/features/operations.js'
import { getFrontendApiFeaturesWithPost, getFrontendFeatures } from '../resources/frontend/operations.js'
import { health } from '../resources/health/operations.js'
import { lifecycleOperations } from '../resources/lifecycle/operations.js'
import { linkOperations } from '../resources/links/operations.js'
import { login, logout, logoutByLink } from '../resources/login/operations.js'
import { changePassword, validatePassword, validateToken } from '../resources/login/password-operations.js'
import { getMaintenance, toggleMaintenance } from '../resources/maintenance/operations.js'
import { changeMyPassword, getMe, getProfile, getUserRoles } from '../resources/me/operations.js'
import { createFeedback, updateFeedback, updateSplashSettings } from '../resources/me/screen-operations.js'
import { createPat, deletePat, getPats } from '../resources/personal-tokens/operations.js'
import { projectOperations } from '../resources/projects/operations.js'
import { segmentOperations } from '../resources/segments/operations.js'
import { strategySegmentOperations } from '../resources/segments/strategy-segment-operations.js'
import {
  createPublicSignupToken,
  getAllPublicSignupTokens,
  getPublicSignupToken,
  updatePublicSignupToken,
} from '../resources/signup-tokens/operations.js'
import { strategyOperations } from '../resources/strategies/operations.js'
import { strategyTypeOperations } from '../resources/strategy-types/operations.js'
import { tagTypeOperations } from '../resources/tag-types/operations.js'
import { featureTagOperations } from '../resources/tags/feature-tag-operations.js'
import { tagOperations } from '../resources/tags/operations.js'
import { uiConfigOperations } from '../resources/ui-config/operations.js'
import { createUser, deleteUser, getUser, getUsers, updateUser } from '../resources/users/operations.js'
import { changeUserPassword, resetUserPassword, validateUserPassword } from '../resources/users/password-operations.js'
import { getAdminCount, getBaseUsersAndGroups, searchUsers } from '../resources/users/search-operations.js'
import { addPublicSignupTokenUser, validatePublicSignupToken } from '../resources/users/signup-operations.js'
import type { World } from '../resources/world.js'
import type { AnyOperation } from './operation.js'

/**
 * THE table: every operation of the service that is modelled. A row gives the route, the msw handler, the checks,
 * the OpenAPI entry, the journal's name and the force rules' name of one operation.
 */
export const operations = [
  ...cloneOperations,
  ...featureOperations,
  ...featureChangeOperations,
  ...archiveOperations,
  ...featureEnvironmentOperations,
  ...strategyOperations,
  ...environmentVariantOperations,
  ...dependencyOperations,
  ...linkOperations,
  ...lifecycleOperations,
  ...favoriteOperations,
  ...featureTagOperations,
  ...tagOperations,
  ...tagTypeOperations,
  ...segmentOperations,
  ...strategySegmentOperations,
  ...constraintOperations,
  ...contextFieldOperations,
  ...strategyTypeOperations,
  ...featureTypeOperations,
  updatePublicSignupToken,
  ...projectOperations,
  ...environmentOperations,
  ...uiConfigOperations,
  getAllPublicSignupTokens,
  getPublicSignupToken,
  createPublicSignupToken,
  validatePublicSignupToken,
  addPublicSignupTokenUser,
  getEvents,
  login,
  logout,
  logoutByLink,
  validatePassword,
  validateToken,
  changePassword,
  getMe,
  getProfile,
  changeMyPassword,
  getUserRoles,
  createFeedback,
  updateFeedback,
  updateSplashSettings,
  getUsers,
  searchUsers,
  getBaseUsersAndGroups,
  getAdminCount,
  getUser,
  createUser,
  updateUser,
  deleteUser,
  validateUserPassword,
  changeUserPassword,
  resetUserPassword,
  getPats,
  createPat,
  deletePat,
  getAllApiTokens,
  getApiTokensByName,
  createApiToken,
  updateApiToken,
  deleteApiToken,
  getMaintenance,
  toggleMaintenance,
  getAllClientFeatures,
  getClientFeature,
  registerClientApplication,
  registerClientMetrics,
  clientBulkMetrics,
  getFrontendFeatures,
  getFrontendApiFeaturesWithPost,
  registerFrontendClient,
  registerFrontendMetrics,
  getFeatureUsageSummary,
  getRawFeatureMetrics,
  health,
] as const satisfies readonly AnyOperation<World>[]

export type OperationId = (typeof operations)[number]['id']

/** Any row of the table. */
export type OperationRow = AnyOperation<World>

export const operationIds: readonly OperationId[] = operations.map(({ id }) => id)
