import * as z from 'zod'
import { get, operations } from '../shared/rows.js'

export const healthCheckSchema = z.object({ health: z.enum(['GOOD', 'BAD']) }).meta({ id: 'healthCheckSchema' })

export const telemetrySettingsSchema = z
  .object({ versionInfoCollectionEnabled: z.boolean(), featureInfoCollectionEnabled: z.boolean() })
  .meta({ id: 'telemetrySettingsSchema' })

export const healthOperations = [
  ...operations('Operational', {
    getHealth: get('/health', {
      summary: 'Whether the service is up',
      access: 'public',
      success: { status: 200, description: 'It is up', schema: healthCheckSchema },
      run: () => ({ body: { health: 'GOOD' } }),
    }),

    getReady: get('/ready', {
      summary: 'Whether the service can answer requests',
      access: 'public',
      success: { status: 200, description: 'It can', schema: healthCheckSchema },
      run: () => ({ body: { health: 'GOOD' } }),
    }),
  }),
  ...operations('Telemetry', {
    getTelemetrySettings: get('/api/admin/telemetry/settings', {
      summary: 'What the service reports to its makers: nothing',
      success: { status: 200, description: 'The settings', schema: telemetrySettingsSchema },
      run: () => ({ body: { versionInfoCollectionEnabled: false, featureInfoCollectionEnabled: false } }),
    }),
  }),
]
