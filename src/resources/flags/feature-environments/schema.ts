import * as z from 'zod'
import { instantSchema } from '../../shared/schema.js'
import { answeredStrategySchema, strategySchema } from '../strategies/schema.js'
import { variantSchema } from '../variants/schema.js'

/** A feature in one environment, as stored. */
export const featureEnvironmentSchema = z.object({
  /** The name of the environment. */
  name: z.string(),
  /** Whether the feature is on there. Default: the feature's own `enabled`, or false. */
  enabled: z.boolean(),
  lastSeenAt: instantSchema.nullable(),
  /** The strategies, as snapshots have them. */
  strategies: z.array(strategySchema),
  variants: z.array(variantSchema),
})

export type FeatureEnvironment = z.infer<typeof featureEnvironmentSchema>

/** A feature in one environment, in an answer. */
export const readEnvironmentSchema = z
  .object({
    name: z.string().meta({ description: 'The name of the feature' }),
    environment: z.string(),
    enabled: z.boolean(),
    strategies: z.array(answeredStrategySchema),
  })
  .meta({ id: 'readFeatureEnvironmentSchema' })

/** The same as the running service answers it: strategies name the feature and omit their segments. */
export const serviceReadEnvironmentSchema = readEnvironmentSchema
  .extend({
    strategies: z.array(strategySchema.omit({ segments: true }).extend({ featureName: z.string() })),
  })
  .meta({ id: 'serviceFeatureEnvironmentSchema' })

/** The query of turning features on. */
export const turnOnQuerySchema = z.object({ shouldActivateDisabledStrategies: z.string().optional() })

export const bulkToggleFeaturesSchema = z
  .object({ features: z.array(z.string()) })
  .meta({ id: 'bulkToggleFeaturesSchema' })
