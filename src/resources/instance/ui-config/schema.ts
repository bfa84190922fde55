import * as z from 'zod'
import { secret } from '../../../contract/secrets.js'
import type { Frozen } from '../../../support/freeze.js'

const featureSwitchSchema = z.object({ name: z.string(), enabled: z.boolean(), feature_enabled: z.boolean() })

/** The configuration of the instance, which the user interface requests first. */
export const uiConfigSchema = z.lazy(() =>
  z
    .object({
      environment: z.string(),
      flags: z.record(z.string(), z.union([z.boolean(), featureSwitchSchema])),
      version: z.string(),
      emailEnabled: z.boolean(),
      unleashUrl: z.string(),
      baseUriPath: z.string(),
      authenticationType: z.string(),
      frontendApiOrigins: z.array(z.string()),
      versionInfo: z.object({
        current: z.object({ oss: z.string(), enterprise: z.string() }),
        latest: z.object({}),
        isLatest: z.boolean(),
        instanceId: z.uuid(),
      }),
      prometheusAPIAvailable: z.boolean(),
      impactMetrics: z.string(),
      resourceLimits: z.record(z.string(), z.int()),
      disablePasswordAuth: z.boolean(),
      maintenanceMode: z.boolean(),
      maxSessionsCount: z.int(),
      unleashContext: z.object({
        email: z.string().optional(),
        userId: z.int().optional(),
        sessionId: z.string().optional(),
      }),
      storiesPageEnabled: z.boolean(),
    })
    .meta({ id: 'uiConfigSchema' }),
)

export type UiConfig = Frozen<z.infer<typeof uiConfigSchema>>

export const corsSchema = z
  .strictObject({ frontendApiOrigins: z.array(z.string()).optional() })
  .meta({ id: 'setCorsSchema' })

/** An error of the user interface. */
export const uiErrorSchema = z
  // What a user interface was doing may be quoted in it, with keys.
  .object({ errorMessage: secret(z.string()), errorStack: secret(z.string().optional()) })
  .meta({ id: 'recordUiErrorSchema' })
