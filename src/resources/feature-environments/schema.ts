import * as z from 'zod'
import { instantSchema } from '../common.js'
import { variantSchema } from '../environment-variants/schema.js'
import { strategySchema } from '../strategies/schema.js'

/** A feature in one environment, as it is stored. */
export const featureEnvironmentSchema = z.object({
  name: z.string(),
  enabled: z.boolean(),
  lastSeenAt: instantSchema.nullable(),
  strategies: z.array(strategySchema),
  variants: z.array(variantSchema),
})

export type FeatureEnvironment = z.infer<typeof featureEnvironmentSchema>
