import { ok } from '../../../support/result.js'
import { defineOperation } from '../../shared/operation.js'
import { healthCheckSchema } from './schema.js'

const health = defineOperation({
  id: 'getHealth',
  method: 'GET',
  path: '/health',
  summary: 'Whether the service is up',
  tag: 'Operational',
  access: 'public',
  success: { status: 200, description: 'It is up', schema: healthCheckSchema },
  run: () => ok({ body: { health: 'GOOD' } }),
})

export const healthOperations = [health] as const
