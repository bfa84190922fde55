import { ok } from '../../../support/result.js'
import { defineOperation } from '../../shared/operation.js'
import { presentMetrics } from './present.js'

const getImpactMetrics = defineOperation({
  id: 'getImpactMetrics',
  method: 'GET',
  path: '/internal-backstage/impact/metrics',
  summary: 'The impact metrics of all applications, for Prometheus',
  tag: 'Operational',
  access: 'public',
  success: { status: 200, description: 'The metrics', text: 'text/plain' },
  run: ({ context: { tables } }) => ok({ body: `${presentMetrics(tables.impactMetrics.list())}\n` }),
})

export const impactMetricOperations = [getImpactMetrics] as const
