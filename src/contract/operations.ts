import {
  createApiToken,
  deleteApiToken,
  getAllApiTokens,
  getApiTokensByName,
  updateApiToken,
} from '../resources/api-tokens/operations.js'
import { environmentOperations } from '../resources/environments/operations.js'
import { getEvents } from '../resources/events/operations.js'
import {
  archiveFeature,
  cloneFeature,
  createFeature,
  getFeature,
  getFeatures,
} from '../resources/features/operations.js'
import { health } from '../resources/health/operations.js'
import { login, logout, logoutByLink } from '../resources/login/operations.js'
import { changePassword, validatePassword, validateToken } from '../resources/login/password-operations.js'
import { getMaintenance, toggleMaintenance } from '../resources/maintenance/operations.js'
import { changeMyPassword, getMe, getProfile, getUserRoles } from '../resources/me/operations.js'
import { createFeedback, updateFeedback, updateSplashSettings } from '../resources/me/screen-operations.js'
import { createPat, deletePat, getPats } from '../resources/personal-tokens/operations.js'
import { projectOperations } from '../resources/projects/operations.js'
import {
  createPublicSignupToken,
  getAllPublicSignupTokens,
  getPublicSignupToken,
  updatePublicSignupToken,
} from '../resources/signup-tokens/operations.js'
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
  cloneFeature,
  updatePublicSignupToken,
  getFeature,
  getFeatures,
  createFeature,
  archiveFeature,
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
  health,
] as const satisfies readonly AnyOperation<World>[]

export type OperationId = (typeof operations)[number]['id']

/** Any row of the table. */
export type OperationRow = AnyOperation<World>

export const operationIds: readonly OperationId[] = operations.map(({ id }) => id)
