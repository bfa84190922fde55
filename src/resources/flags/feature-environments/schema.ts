import * as z from 'zod'
import { instantSchema } from '../../shared/schema.js'
import { answeredStrategySchema, strategySchema } from '../strategies/schema.js'
import { variantSchema } from '../variants/schema.js'

/** A feature in one environment, as it is stored. */
export const featureEnvironmentSchema = z.object({
  name: z.string(),
  enabled: z.boolean(),
  lastSeenAt: instantSchema.nullable(),
  strategies: z.array(strategySchema),
  variants: z.array(variantSchema),
})

export type FeatureEnvironment = z.infer<typeof featureEnvironmentSchema>

const readEnvironmentSchema = z
  .object({
    name: z.string().meta({ description: 'The name of the feature' }),
    environment: z.string(),
    enabled: z.boolean(),
    strategies: z.array(answeredStrategySchema),
  })
  .meta({ id: 'readFeatureEnvironmentSchema' })

/** A feature in one environment, as it is read alone. The service names it in each strategy, and leaves segments out. */
export const readEnvironmentSchemas = {
  document: readEnvironmentSchema,
  service: readEnvironmentSchema.extend({
    strategies: z.array(strategySchema.omit({ segments: true }).extend({ featureName: z.string() })),
  }),
} as const

export const bulkToggleFeaturesSchema = z
  .object({ features: z.array(z.string()) })
  .meta({ id: 'bulkToggleFeaturesSchema' })
