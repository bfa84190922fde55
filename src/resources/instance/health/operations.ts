import { ok } from '../../../support/result.js'
import { defineOperation } from '../../shared/operation.js'
import { healthCheckSchema, telemetrySettingsSchema } from './schema.js'

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

const ready = defineOperation({
  id: 'getReady',
  method: 'GET',
  path: '/ready',
  summary: 'Whether the service can answer requests',
  tag: 'Operational',
  access: 'public',
  success: { status: 200, description: 'It can', schema: healthCheckSchema },
  run: () => ok({ body: { health: 'GOOD' } }),
})

const getTelemetrySettings = defineOperation({
  id: 'getTelemetrySettings',
  method: 'GET',
  path: '/api/admin/telemetry/settings',
  summary: 'What the service reports to its makers: nothing',
  tag: 'Telemetry',
  success: { status: 200, description: 'The settings', schema: telemetrySettingsSchema },
  run: () => ok({ body: { versionInfoCollectionEnabled: false, featureInfoCollectionEnabled: false } }),
})

export const healthOperations = [health, ready, getTelemetrySettings] as const
