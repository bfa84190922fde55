import type { OperationContext, Tables } from '../../shared/context.js'
import { toInstant } from '../../shared/schema.js'
import { sdkScope } from '../client-features/lookup.js'
import { environmentOf } from '../client-features/rules.js'
import { recordInstances } from '../client-instances/actions.js'
import { recordUnknownFlag } from '../unknown-flags/actions.js'
import { entriesOf, firstOf, METRICS_KEPT, METRICS_LEFT, seenFeature, sumOf } from './rules.js'
import { type ClientMetrics, type ClientMetricsRecord, clientMetricsKey } from './schema.js'

/** Records the metrics that the calling SDK reports, and that the SDK has been seen. */
export function recordReport(context: OperationContext, report: ClientMetrics): void {
  recordInstances(context, [report])
  recordMetrics(context, entriesOf(report, environmentOf(sdkScope(context.caller))))
}

/** Adds metrics to the known ones, and marks their features as seen. Notes unknown features, ignores empty counts. */
export function recordMetrics({ tables, now }: OperationContext, entries: readonly ClientMetricsRecord[]): void {
  for (const entry of entries) {
    const feature = tables.features.get(entry.featureName)
    if (feature === undefined) recordUnknownFlag(tables, entry, toInstant(now))
    if (feature === undefined || entry.yes + entry.no === 0) continue
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
