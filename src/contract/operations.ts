import { apiTokenOperations } from '../resources/api-tokens/operations.js'
import { projectTokenOperations } from '../resources/api-tokens/project-token-operations.js'
import { applicationOperations } from '../resources/applications/operations.js'
import { clientFeatureOperations } from '../resources/client-features/operations.js'
import { clientInstanceOperations } from '../resources/client-instances/operations.js'
import { clientMetricsOperations } from '../resources/client-metrics/operations.js'
import { clientMetricsReadOperations } from '../resources/client-metrics/read-operations.js'
import { constraintOperations } from '../resources/constraints/operations.js'
import { contextFieldChangeOperations } from '../resources/context-fields/change-operations.js'
import { contextFieldOperations } from '../resources/context-fields/operations.js'
import { dashboardOperations } from '../resources/dashboard/operations.js'
import { dependencyOperations } from '../resources/dependencies/operations.js'
import { environmentVariantOperations } from '../resources/environment-variants/operations.js'
import { environmentOperations } from '../resources/environments/operations.js'
import { eventOperations } from '../resources/events/operations.js'
import { favoriteOperations } from '../resources/favorites/operations.js'
import { featureEnvironmentOperations } from '../resources/feature-environments/operations.js'
import { featureTypeOperations } from '../resources/feature-types/operations.js'
import { archiveOperations } from '../resources/features/archive-operations.js'
import { featureChangeOperations } from '../resources/features/change-operations.js'
import { cloneOperations } from '../resources/features/clone-operations.js'
import { featureOperations } from '../resources/features/operations.js'
import { frontendOperations } from '../resources/frontend/operations.js'
import { healthOperations } from '../resources/health/operations.js'
import { instanceOperations } from '../resources/instance/operations.js'
import { lifecycleOperations } from '../resources/lifecycle/operations.js'
import { linkOperations } from '../resources/links/operations.js'
import { loginOperations } from '../resources/login/operations.js'
import { passwordOperations } from '../resources/login/password-operations.js'
import { maintenanceOperations } from '../resources/maintenance/operations.js'
import { meOperations } from '../resources/me/operations.js'
import { screenOperations } from '../resources/me/screen-operations.js'
import { personalTokenOperations } from '../resources/personal-tokens/operations.js'
import { projectOperations } from '../resources/projects/operations.js'
import { searchOperations } from '../resources/search/operations.js'
import { segmentOperations } from '../resources/segments/operations.js'
import { strategySegmentOperations } from '../resources/segments/strategy-segment-operations.js'
import { signupTokenOperations } from '../resources/signup-tokens/operations.js'
import { strategyOperations } from '../resources/strategies/operations.js'
import { strategyTypeOperations } from '../resources/strategy-types/operations.js'
import { tagTypeOperations } from '../resources/tag-types/operations.js'
import { featureTagOperations } from '../resources/tags/feature-tag-operations.js'
import { tagOperations } from '../resources/tags/operations.js'
import { uiConfigOperations } from '../resources/ui-config/operations.js'
import { userOperations } from '../resources/users/operations.js'
import { userPasswordOperations } from '../resources/users/password-operations.js'
import { userSearchOperations } from '../resources/users/search-operations.js'
import { signupOperations } from '../resources/users/signup-operations.js'
import type { World } from '../resources/world.js'
import type { AnyOperation } from './operation.js'

/**
 * THE table: every operation of the service that is modelled. A row gives the route, the msw handler, the checks,
 * the OpenAPI entry, the journal's name and the force rules' name of one operation.
 */
export const operations = [
  ...cloneOperations,
  ...signupTokenOperations,
  ...signupOperations,
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
  ...contextFieldChangeOperations,
  ...strategyTypeOperations,
  ...featureTypeOperations,
  ...projectOperations,
  ...environmentOperations,
  ...uiConfigOperations,
  ...eventOperations,
  ...searchOperations,
  ...dashboardOperations,
  ...loginOperations,
  ...passwordOperations,
  ...meOperations,
  ...screenOperations,
  ...userOperations,
  ...userSearchOperations,
  ...userPasswordOperations,
  ...personalTokenOperations,
  ...apiTokenOperations,
  ...projectTokenOperations,
  ...maintenanceOperations,
  ...clientFeatureOperations,
  ...clientInstanceOperations,
  ...clientMetricsOperations,
  ...clientMetricsReadOperations,
  ...frontendOperations,
  ...applicationOperations,
  ...instanceOperations,
  ...healthOperations,
] as const satisfies readonly AnyOperation<World>[]

export type OperationId = (typeof operations)[number]['id']

/** Any row of the table. */
export type OperationRow = AnyOperation<World>

export const operationIds: readonly OperationId[] = operations.map(({ id }) => id)
