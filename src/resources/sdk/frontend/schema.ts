import * as z from 'zod'
import { payloadSchema } from '../../flags/variants/schema.js'

const frontendFeatureSchema = z.lazy(() =>
  z
    .object({
      name: z.string(),
      enabled: z.boolean(),
      variant: z.object({
        name: z.string(),
        enabled: z.boolean(),
        payload: payloadSchema.optional(),
        feature_enabled: z.boolean(),
        featureEnabled: z.boolean().meta({ deprecated: true }),
      }),
      impressionData: z.boolean(),
    })
    .meta({ id: 'frontendApiFeatureSchema' }),
)

export type FrontendFeature = z.infer<typeof frontendFeatureSchema>

export const frontendFeaturesSchema = z
  .object({ toggles: z.array(frontendFeatureSchema) })
  .meta({ id: 'frontendApiFeaturesSchema', description: 'The features that are on in a context' })

/** A context in a URL: `userId=7&properties[plan]=gold`. */
export const contextQuerySchema = z.record(z.string(), z.string())

export const contextSchema = z
  .looseObject({
    appName: z.string().min(1).optional(),
    currentTime: z.iso.datetime({ offset: true }).optional(),
    environment: z.string().optional(),
    properties: z.record(z.string(), z.string()).optional(),
    remoteAddress: z.string().optional(),
    sessionId: z.string().optional(),
    userId: z.string().optional(),
  })
  .meta({ id: 'contextSchema', description: 'Other fields count as properties' })

export const frontendFeaturesPostSchema = z
  .looseObject({ context: contextSchema.optional() })
  .meta({ id: 'frontendApiFeaturesPostSchema' })

/** A context in either form. */
export type SentContext = Readonly<Record<string, unknown>>
