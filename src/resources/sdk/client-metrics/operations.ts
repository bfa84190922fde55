import { ok } from '../../../support/result.js'
import { defineOperation } from '../../shared/operation.js'
import { sdkScope } from '../client-features/lookup.js'
import { environmentOf } from '../client-features/rules.js'
import { recordInstances } from '../client-instances/actions.js'
import { recordImpact } from '../impact-metrics/actions.js'
import { recordFrontendReport, recordMetrics, recordReport } from './actions.js'
import { recordOf } from './rules.js'
import { bulkMetricsSchema, clientMetricsSchema } from './schema.js'

/** The header in which an SDK of a frontend names itself: `unleash-client-js:5.0.0`. */
const SDK_HEADER = 'unleash-sdk'

const registerClientMetrics = defineOperation({
  id: 'registerClientMetrics',
  method: 'POST',
  path: '/api/client/metrics',
  summary: 'Report how often features were evaluated',
  tag: 'Client',
  access: 'client',
  body: clientMetricsSchema,
  success: { status: 202, description: 'The metrics are recorded' },
  run: ({ body, context }) => {
    recordReport(context, body)
    recordImpact(context, body.impactMetrics)
    return ok({})
  },
})

const clientBulkMetrics = defineOperation({
  id: 'clientBulkMetrics',
  method: 'POST',
  path: '/api/client/metrics/bulk',
  summary: 'Report the metrics of many SDKs; only those of the environment of the token are recorded',
  tag: 'Client',
  access: 'client',
  leavesOut: 'seen tokens',
  body: bulkMetricsSchema,
  success: { status: 202, description: 'The metrics are recorded' },
  run: ({ body, context }) => {
    const own = environmentOf(sdkScope(context.caller))
    recordInstances(
      context,
      body.applications.map((one) => ({ ...one, isFrontend: one.sdkType === 'frontend' })),
    )
    const entries = body.metrics
      .filter(({ environment }) => environment === own)
      .map((entry) => recordOf(entry, context.now))
    recordMetrics(context, entries)
    recordImpact(context, body.impactMetrics)
    return ok({})
  },
})

const registerFrontendMetrics = defineOperation({
  id: 'registerFrontendMetrics',
  method: 'POST',
  path: '/api/frontend/client/metrics',
  summary: 'Report how often features were evaluated, from a frontend',
  tag: 'Frontend API',
  access: 'frontend',
  body: clientMetricsSchema,
  success: { status: 200, description: 'The metrics are recorded', text: 'text/plain' },
  run: ({ body, headers, context }) => {
    recordFrontendReport(context, body, headers.get(SDK_HEADER))
    recordImpact(context, body.impactMetrics)
    return ok({ body: 'OK' })
  },
})

export const clientMetricsOperations = [clientBulkMetrics, registerClientMetrics, registerFrontendMetrics] as const
