import * as z from 'zod'

export const healthCheckSchema = z.object({ health: z.enum(['GOOD', 'BAD']) }).meta({ id: 'healthCheckSchema' })

export const telemetrySettingsSchema = z
  .object({ versionInfoCollectionEnabled: z.boolean(), featureInfoCollectionEnabled: z.boolean() })
  .meta({ id: 'telemetrySettingsSchema' })
