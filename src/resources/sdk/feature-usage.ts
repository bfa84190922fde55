import { get, operations } from '../shared/rows.js'
import {
  featureMetricsSchema,
  featureUsageSchema,
  hourlyMetrics,
  hoursBackQuerySchema,
  usageByEnvironment,
} from './client-metrics.js'
import { metricsSince } from './client-metrics.operations.js'

/** How many hours back the metrics go, by default and at most. */
const HOURS_BACK = { usual: 24, most: 48 }
export const clientMetricsReadOperations = operations('Metrics', {
  getFeatureUsageSummary: get('/api/admin/client-metrics/features/:name', {
    summary: "A feature's usage in the last hour, and the applications that use it",
    success: { status: 200, description: 'The usage of the feature', schema: featureUsageSchema },
    run: ({ params: { name }, context: { tables, now } }) => {
      const lastHourUsage = usageByEnvironment(metricsSince(tables, name, now, 1))
      const applications = new Set(metricsSince(tables, name, now, HOURS_BACK.usual).map(({ appName }) => appName))
      return {
        body: {
          version: 1,
          maturity: 'stable',
          featureName: name,
          lastHourUsage,
          seenApplications: [...applications].toSorted(),
        },
      }
    },
  }),

  getRawFeatureMetrics: get('/api/admin/client-metrics/features/:name/raw', {
    summary: "A feature's usage, hour by hour, per environment and application",
    query: hoursBackQuerySchema,
    success: { status: 200, description: 'The usage of the feature', schema: featureMetricsSchema },
    run: ({ params: { name }, query, context: { tables, now } }) => {
      const asked = Number(query.hoursBack)
      const hours = asked >= 1 && asked <= HOURS_BACK.most ? asked : HOURS_BACK.usual
      const data = hourlyMetrics(metricsSince(tables, name, now, hours), now, hours)
      return { body: { version: 1, maturity: 'stable', data } }
    },
  }),
})
