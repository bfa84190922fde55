import { ok } from '../../support/result.js'
import { sdkScope } from '../client-features/lookup.js'
import { environmentOf } from '../client-features/rules.js'
import { rememberInstance } from '../client-instances/remember.js'
import { defineOperation } from '../define-operation.js'
import { recordMetrics, recordReport } from './record.js'
import { hourOf } from './rules.js'
import { bulkMetricsSchema, clientMetricsSchema } from './schema.js'

const registerClientMetrics = defineOperation({
  id: 'registerClientMetrics',
  method: 'POST',
  path: '/api/client/metrics',
  summary: 'Report how often features were asked for',
  tag: 'Client',
  access: 'client',
  leavesOut: 'impact metrics',
  body: clientMetricsSchema,
  success: { status: 202, description: 'The counts are taken' },
  errors: [400, 401, 413, 415],
  run: ({ body, world }) => {
    recordReport(world, body)
    return ok({})
  },
})

const clientBulkMetrics = defineOperation({
  id: 'clientBulkMetrics',
  method: 'POST',
  path: '/api/client/metrics/bulk',
  summary: 'Report what many SDKs counted; counts of other environments than that of the token are dropped',
  tag: 'Client',
  access: 'client',
  leavesOut: 'impact metrics and seen tokens',
  body: bulkMetricsSchema,
  success: { status: 202, description: 'The counts are taken' },
  errors: [400, 401, 413, 415],
  run: ({ body, world }) => {
    const own = environmentOf(sdkScope(world.caller))
    for (const application of body.applications) rememberInstance(world, application)
    const entries = body.metrics
      .filter(({ environment }) => environment === own)
      .map(({ featureName, appName, environment, timestamp = world.now.getTime(), yes = 0, no = 0, variants = {} }) => {
        return { featureName, appName, environment, timestamp: hourOf(timestamp), yes, no, variants }
      })
    recordMetrics(world, entries)
    return ok({})
  },
})

const registerFrontendMetrics = defineOperation({
  id: 'registerFrontendMetrics',
  method: 'POST',
  path: '/api/frontend/client/metrics',
  summary: 'Report how often features were asked for, from a frontend',
  tag: 'Frontend API',
  access: 'frontend',
  leavesOut: 'impact metrics',
  body: clientMetricsSchema,
  success: { status: 200, description: 'The counts are taken' },
  errors: [400, 401, 413, 415],
  run: ({ body, world }) => {
    recordReport(world, body)
    return ok({})
  },
})

export const clientMetricsOperations = [clientBulkMetrics, registerClientMetrics, registerFrontendMetrics] as const
