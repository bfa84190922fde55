import type { OperationContext } from '../../shared/context.js'
import { sdkScope } from '../client-features/lookup.js'
import { environmentOf } from '../client-features/rules.js'
import { rememberInstance } from '../client-instances/actions.js'
import { entriesOf, seenFeature, sumOf } from './rules.js'
import { type ClientMetrics, type ClientMetricsRecord, clientMetricsKey } from './schema.js'

/** Takes the report of the calling SDK, which is heard of by it. */
export function recordReport(context: OperationContext, report: ClientMetrics): void {
  rememberInstance(context, report)
  recordMetrics(context, entriesOf(report, environmentOf(sdkScope(context.caller))))
}

/** Adds counts to what is known, and marks their features as seen. Counts of unknown features, and empty ones, are dropped. */
export function recordMetrics({ tables, now }: OperationContext, entries: readonly ClientMetricsRecord[]): void {
  for (const entry of entries) {
    const feature = tables.features.get(entry.featureName)
    if (feature === undefined || entry.yes + entry.no === 0) continue
    const known = tables.clientMetrics.get(clientMetricsKey(entry))
    if (known === undefined) tables.clientMetrics.insert(entry)
    else tables.clientMetrics.replace(sumOf(known, entry))
    const { name, type } = tables.environments.get(entry.environment) ?? { name: entry.environment, type: '' }
    tables.features.replace(seenFeature(feature, { name, isProduction: type === 'production' }, now.toISOString()))
  }
}
