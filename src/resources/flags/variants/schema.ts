import * as z from 'zod'

export const payloadSchema = z.object({
  /** `json`, `csv`, `string` or `number`. */
  type: z.string(),
  /** The payload as text, whatever its type. */
  value: z.string(),
})

/** A variant of a strategy. */
export const strategyVariantSchema = z
  .object({
    /** Its name. */
    name: z.string(),
    /** Its share, in thousandths. Default: an equal share. */
    weight: z.number().min(0).max(1000),
    /** Whether the share is fixed, or what the fixed ones leave. Default: `variable`. */
    weightType: z.enum(['fix', 'variable']),
    /** The field of the context that decides who gets it. Default: `default`. */
    stickiness: z.string(),
    /** What comes with it. */
    payload: payloadSchema.optional(),
  })
  .meta({ id: 'strategyVariantSchema' })

const overrideSchema = z.object({
  /** The field of the context. */
  contextName: z.string(),
  /** The values of the field that get the variant. */
  values: z.array(z.string()),
})

/** A variant of a feature in an environment: the older kind, with overrides. */
export const variantSchema = strategyVariantSchema
  .extend({
    /** Who always gets it. */
    overrides: z.array(overrideSchema).optional(),
  })
  .meta({ id: 'variantSchema' })

export type StrategyVariant = z.infer<typeof strategyVariantSchema>
export type Variant = z.infer<typeof variantSchema>

const sentPayloadSchema = z.strictObject({
  ...payloadSchema.shape,
  /** What the payload is. */
  type: z.enum(['json', 'csv', 'string', 'number']),
})

/** A variant of a strategy as a client sends it. */
export const sentStrategyVariantSchema = strategyVariantSchema
  .extend({
    /** Its name. */
    name: z.string().min(1, 'must not be empty'),
    /** What comes with it. */
    payload: sentPayloadSchema.optional(),
  })
  .meta({ id: 'createStrategyVariantSchema' })

/** A variant of an environment as a client sends it. */
const sentVariantSchema = z
  .strictObject({
    ...sentStrategyVariantSchema.shape,
    weightType: z.enum(['fix', 'variable']).optional(),
    stickiness: z.string().optional(),
    overrides: z.array(overrideSchema).optional(),
  })
  .meta({ id: 'sentVariantSchema' })

export type SentVariant = z.infer<typeof sentVariantSchema>

export const sentVariantsSchema = z.array(sentVariantSchema).meta({ id: 'variantsSchema' })

export const pushVariantsSchema = z
  .object({ environments: z.array(z.string()).optional(), variants: z.array(sentVariantSchema).optional() })
  .meta({ id: 'pushVariantsSchema' })

export const featureVariantsSchema = z
  .object({ version: z.literal(1), variants: z.array(variantSchema) })
  .meta({ id: 'featureVariantsSchema' })

const defaulted = { weight: true, weightType: true, stickiness: true } as const

/** A variant of a strategy in a fixture: only its name is required. */
export const strategyVariantFixtureSchema = strategyVariantSchema.partial(defaulted)

/** A variant of an environment in a fixture: only its name is required. */
export const variantFixtureSchema = variantSchema.partial(defaulted)

export type VariantFixture = z.infer<typeof variantFixtureSchema>
