import type { OperationContext } from '../shared/context.js'
import { get, operations } from '../shared/rows.js'
import { impactMetricSchema, mergeMetric, metricName, presentMetrics } from './impact-metrics.js'

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

export const impactMetricOperations = operations('Operational', {
  getImpactMetrics: get('/internal-backstage/impact/metrics', {
    summary: 'The impact metrics of all applications, for Prometheus',
    access: 'public',
    success: { status: 200, description: 'The metrics', text: 'text/plain' },
    run: ({ context: { tables } }) => ({ body: `${presentMetrics(tables.impactMetrics.list())}\n` }),
  }),
})
