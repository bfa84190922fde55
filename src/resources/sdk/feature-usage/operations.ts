import { ok } from '../../../support/result.js'
import { defineOperation } from '../../shared/operation.js'
import { metricsSince } from '../client-metrics/lookup.js'
import { hourlyMetrics, usageByEnvironment } from '../client-metrics/present.js'
import { featureMetricsSchema, featureUsageSchema, hoursBackQuerySchema } from '../client-metrics/schema.js'

const tag = 'Metrics'

/** How many hours back the metrics go, by default and at most. */
const HOURS_BACK = { usual: 24, most: 48 }

const getFeatureUsageSummary = defineOperation({
  id: 'getFeatureUsageSummary',
  method: 'GET',
  path: '/api/admin/client-metrics/features/:name',
  summary: "A feature's usage in the last hour, and the applications that use it",
  tag,
  success: { status: 200, description: 'The usage of the feature', schema: featureUsageSchema },
  run: ({ params: { name }, context: { tables, now } }) => {
    const lastHourUsage = usageByEnvironment(metricsSince(tables, name, now, 1))
    const applications = new Set(metricsSince(tables, name, now, HOURS_BACK.usual).map(({ appName }) => appName))
    return ok({
      body: {
        version: 1,
        maturity: 'stable',
        featureName: name,
        lastHourUsage,
        seenApplications: [...applications].toSorted(),
      },
    })
  },
})

const getRawFeatureMetrics = defineOperation({
  id: 'getRawFeatureMetrics',
  method: 'GET',
  path: '/api/admin/client-metrics/features/:name/raw',
  summary: "A feature's usage, hour by hour, per environment and application",
  tag,
  query: hoursBackQuerySchema,
  success: { status: 200, description: 'The usage of the feature', schema: featureMetricsSchema },
  run: ({ params: { name }, query, context: { tables, now } }) => {
    const asked = Number(query.hoursBack)
    const hours = asked >= 1 && asked <= HOURS_BACK.most ? asked : HOURS_BACK.usual
    const data = hourlyMetrics(metricsSince(tables, name, now, hours), now, hours)
    return ok({ body: { version: 1, maturity: 'stable', data } })
  },
})

export const clientMetricsReadOperations = [getFeatureUsageSummary, getRawFeatureMetrics] as const
