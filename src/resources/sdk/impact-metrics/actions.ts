import type { OperationContext } from '../../shared/context.js'
import { mergeMetric, metricName } from './rules.js'
import { impactMetricSchema } from './schema.js'

/** Records the impact metrics of a report. The service ignores those that are malformed. */
export function recordImpact({ tables: { impactMetrics } }: OperationContext, sent: unknown): void {
  for (const given of Array.isArray(sent) ? sent : []) {
    const parsed = impactMetricSchema.safeParse(given)
    if (!parsed.success) continue
    const metric = { ...parsed.data, name: metricName(parsed.data.name) }
    const known = impactMetrics.get(metric.name)
    if (known === undefined || known.type === metric.type) impactMetrics.replace(mergeMetric(known, metric))
  }
}
