import type { EvaluationBudget } from './budget.js'
import { bucketOf, type Chance, contextValue, type EvaluationContext, variantId } from './context.js'

export interface Payload {
  type: string
  value: string
}

export interface EvaluationVariant {
  name: string
  weight: number
  stickiness?: string | undefined
  payload?: Payload | undefined
  overrides?: readonly { contextName: string; values: readonly string[] }[] | undefined
}

/** Not the seed of rollouts, so that variants and rollouts are independent. */
const SEED = 86_028_157

/** Selects the variant for a context: by a matching override, or by the bucket. */
export function selectVariant(
  variants: readonly EvaluationVariant[],
  spread: { groupId: string; stickiness: string },
  context: EvaluationContext,
  chance: Chance,
  budget: EvaluationBudget,
): EvaluationVariant | undefined {
  budget.spend(variants.length)
  const total = variants.reduce((sum, { weight }) => sum + weight, 0)
  if (total <= 0) return undefined
  const overridden = variants.find(({ overrides = [] }) =>
    overrides.some(({ contextName, values }) => {
      budget.spend(values.length)
      const own = contextValue(context, contextName)
      return own !== undefined && values.includes(own)
    }),
  )
  if (overridden !== undefined) return overridden
  const bucket = bucketOf(variantId(spread.stickiness, context, chance), spread.groupId, total, budget, SEED)
  let reached = 0
  return variants.find(({ weight }) => {
    reached += weight
    return weight > 0 && reached >= bucket
  })
}
