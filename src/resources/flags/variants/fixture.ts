import type * as z from 'zod'
import { WHOLE } from './rules.js'
import { strategyVariantSchema, variantSchema } from './schema.js'

const defaulted = { weight: true, weightType: true, stickiness: true } as const

/** A variant of a strategy as a fixture may give it: only its name is needed. */
export const strategyVariantFixtureSchema = strategyVariantSchema.partial(defaulted)

/** The same for a variant of an environment. */
export const variantFixtureSchema = variantSchema.partial(defaulted)

/** The variants that a fixture means: those without a weight share what the others leave. */
export function completeVariants<Given extends z.infer<typeof variantFixtureSchema>>(given: readonly Given[]) {
  const taken = given.reduce((sum, { weight = 0 }) => sum + weight, 0)
  const sharers = given.filter(({ weight }) => weight === undefined)
  const shared = (count: number) => Math.floor((Math.max(0, WHOLE - taken) * count) / sharers.length)
  const shareOf = (variant: Given) => shared(sharers.indexOf(variant) + 1) - shared(sharers.indexOf(variant))
  return given.map((variant) => ({
    ...variant,
    weight: variant.weight ?? shareOf(variant),
    weightType: variant.weightType ?? ('variable' as const),
    stickiness: variant.stickiness ?? 'default',
  }))
}
