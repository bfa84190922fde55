import type { OperationContext, Tables } from '../../shared/context.js'
import { toInstant } from '../../shared/schema.js'
import { sdkScope } from '../client-features/lookup.js'
import { environmentOf } from '../client-features/rules.js'
import { recordInstances } from '../client-instances/actions.js'
import { recordUnknownFlag } from '../unknown-flags/actions.js'
import { entriesOf, firstOf, METRICS_KEPT, METRICS_LEFT, seenFeature, sumOf } from './rules.js'
import { type ClientMetrics, type ClientMetricsRecord, clientMetricsKey } from './schema.js'

/** Records the metrics that the calling SDK reports, and that the SDK has been seen: where, its token says. */
export function recordReport(context: OperationContext, report: ClientMetrics): void {
  recordInstances(context, [{ ...report, environment: undefined, projects: undefined }])
  recordMetrics(context, entriesOf(report, environmentOf(sdkScope(context.caller))))
}

/** The same for an SDK of a frontend, which is known only if it names itself: with an id, and in a header. */
export function recordFrontendReport(
  context: OperationContext,
  report: ClientMetrics,
  sdkVersion: string | null,
): void {
  const { environment, projects } = sdkScope(context.caller)
  const { appName, instanceId } = report
  if (instanceId && sdkVersion !== null) {
    const where = { environment: environmentOf({ environment }), projects }
    recordInstances(context, [{ appName, instanceId, sdkVersion, ...where, isFrontend: true }])
  }
  recordMetrics(context, entriesOf(report, environmentOf({ environment })))
}

/** Adds metrics to the known ones, and marks their features as seen. Notes unknown features. Ignores empty counts. */
export function recordMetrics({ tables, now }: OperationContext, entries: readonly ClientMetricsRecord[]): void {
  for (const entry of entries) {
    if (entry.yes === 0 && entry.no === 0) continue
    const feature = tables.features.get(entry.featureName)
    if (feature === undefined) {
      recordUnknownFlag(tables, entry, toInstant(now))
      continue
    }
    const known = tables.clientMetrics.get(clientMetricsKey(entry))
    tables.clientMetrics.replace(known === undefined ? firstOf(entry) : sumOf(known, entry))
    const { name, type } = tables.environments.get(entry.environment) ?? { name: entry.environment, type: '' }
    tables.features.replace(seenFeature(feature, { name, isProduction: type === 'production' }, toInstant(now)))
  }
  if (tables.clientMetrics.size > METRICS_KEPT) dropOldest(tables.clientMetrics)
}

/** Drops many records in one go, because finding the oldest takes a look at all of them. */
function dropOldest(clientMetrics: Tables['clientMetrics']): void {
  const oldestFirst = clientMetrics.list().toSorted((one, other) => (one.timestamp < other.timestamp ? -1 : 1))
  for (const entry of oldestFirst.slice(0, -METRICS_LEFT)) clientMetrics.remove(clientMetricsKey(entry))
}
