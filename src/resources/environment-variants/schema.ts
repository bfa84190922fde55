import * as z from 'zod'

export const payloadSchema = z.object({ type: z.string(), value: z.string() })

/** A variant of a strategy. */
export const strategyVariantSchema = z
  .object({
    name: z.string(),
    weight: z.number().min(0).max(1000),
    weightType: z.enum(['fix', 'variable']),
    stickiness: z.string(),
    payload: payloadSchema.optional(),
  })
  .meta({ id: 'strategyVariantSchema' })

/** A variant of an environment of a feature: the older kind, with overrides. */
export const variantSchema = strategyVariantSchema
  .extend({ overrides: z.array(z.object({ contextName: z.string(), values: z.array(z.string()) })).optional() })
  .meta({ id: 'variantSchema' })

export type Variant = z.infer<typeof variantSchema>
