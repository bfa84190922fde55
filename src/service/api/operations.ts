import type { AnyOperation } from '../contract/operation.js'
import { archiveOperations } from '../resources/flags/archive.js'
import { cloneOperations } from '../resources/flags/clone.js'
import { dependencyOperations } from '../resources/flags/dependencies.operations.js'
import { favoriteOperations } from '../resources/flags/favorites.operations.js'
import { featureEnvironmentOperations } from '../resources/flags/feature-environments.operations.js'
import { featureTagOperations } from '../resources/flags/feature-tags.js'
import { featureTypeOperations } from '../resources/flags/feature-types.operations.js'
import { featureOperations } from '../resources/flags/features.operations.js'
import { importExportOperations } from '../resources/flags/import-export.operations.js'
import { lifecycleOperations } from '../resources/flags/lifecycle.operations.js'
import { linkOperations } from '../resources/flags/links.operations.js'
import { readingOperations } from '../resources/flags/reading.js'
import { searchOperations } from '../resources/flags/search.js'
import { strategyOperations } from '../resources/flags/strategies.operations.js'
import { tagOperations, tagTypeOperations } from '../resources/flags/tags.operations.js'
import { environmentVariantOperations } from '../resources/flags/variants.operations.js'
import { addonOperations } from '../resources/instance/addons.operations.js'
import { eventSearchOperations } from '../resources/instance/event-search.js'
import { eventOperations } from '../resources/instance/events.operations.js'
import { screenOperations } from '../resources/instance/feedback.js'
import { maintenanceOperations } from '../resources/instance/maintenance.operations.js'
import { healthOperations, instanceOperations } from '../resources/instance/statistics.js'
import { uiConfigOperations } from '../resources/instance/ui-config.js'
import { apiTokenOperations, projectTokenOperations } from '../resources/people/api-tokens.operations.js'
import { loginOperations } from '../resources/people/login.operations.js'
import { meOperations } from '../resources/people/me.js'
import { personalTokenOperations } from '../resources/people/personal-tokens.js'
import { signupOperations } from '../resources/people/signup.js'
import { signupTokenOperations } from '../resources/people/signup-tokens.operations.js'
import { userOperations } from '../resources/people/users.operations.js'
import { dashboardOperations } from '../resources/projects/dashboard.js'
import { environmentOperations } from '../resources/projects/environments.operations.js'
import { projectEnvironmentOperations } from '../resources/projects/project-environments.js'
import { projectOperations } from '../resources/projects/projects.operations.js'
import { reportOperations } from '../resources/projects/reports.operations.js'
import { applicationDetailOperations } from '../resources/sdk/application-details.operations.js'
import { applicationOperations } from '../resources/sdk/applications.js'
import { clientFeatureOperations } from '../resources/sdk/client-features.operations.js'
import { clientInstanceOperations } from '../resources/sdk/client-instances.operations.js'
import {
  clientMetricsOperations,
  clientMetricsReadOperations,
  impactMetricOperations,
  unknownFlagOperations,
} from '../resources/sdk/client-metrics.operations.js'
import { edgeOperations } from '../resources/sdk/edge.js'
import { frontendOperations } from '../resources/sdk/frontend.js'
import { playgroundOperations } from '../resources/sdk/playground.js'
import type { OperationContext } from '../resources/shared/context.js'
import { constraintOperations } from '../resources/targeting/constraints.operations.js'
import { contextFieldOperations } from '../resources/targeting/context-fields.operations.js'
import { segmentOperations } from '../resources/targeting/segments.operations.js'
import { strategySegmentOperations } from '../resources/targeting/strategy-segments.js'
import { strategyTypeOperations } from '../resources/targeting/strategy-types.operations.js'

export type OperationRow = AnyOperation<OperationContext>

/**
 * THE table: every modelled operation of Unleash. A row gives the route, the msw handler, the checks, the OpenAPI entry,
 * and the name in the journal and in rules.
 */
const table = [
  ...cloneOperations,
  ...signupTokenOperations,
  ...signupOperations,
  ...readingOperations,
  ...featureOperations,
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
  ...projectOperations,
  ...reportOperations,
  ...environmentOperations,
  ...projectEnvironmentOperations,
  ...uiConfigOperations,
  ...eventOperations,
  ...searchOperations,
  ...eventSearchOperations,
  ...importExportOperations,
  ...dashboardOperations,
  ...loginOperations,
  ...meOperations,
  ...screenOperations,
  ...userOperations,
  ...personalTokenOperations,
  ...apiTokenOperations,
  ...projectTokenOperations,
  ...maintenanceOperations,
  ...clientFeatureOperations,
  ...clientInstanceOperations,
  ...clientMetricsOperations,
  ...clientMetricsReadOperations,
  ...frontendOperations,
  ...edgeOperations,
  ...applicationOperations,
  ...applicationDetailOperations,
  ...playgroundOperations,
  ...unknownFlagOperations,
  ...impactMetricOperations,
  ...instanceOperations,
  ...healthOperations,
  ...addonOperations,
] as const satisfies readonly OperationRow[]

/** The IDs of all modelled operations, as in Unleash's OpenAPI document, in the order of the modules. */
export const operationIds = idsOf(table)

/** The ID of a modelled operation, such as `cloneFeature`. */
export type OperationId = (typeof operationIds)[number]

/** The table as rows of one type: the type of the whole table would fill the package's declarations. */
export const operations: readonly (OperationRow & { id: OperationId })[] = table

function idsOf<Id extends string>(rows: readonly { id: Id }[]): readonly Id[] {
  return rows.map(({ id }) => id)
}
