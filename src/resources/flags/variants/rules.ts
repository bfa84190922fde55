import type { Frozen } from '../../../support/freeze.js'
import type { SentVariant, StrategyVariant, Variant, VariantFixture } from './schema.js'

/** The sum of the weights of all variants. */
export const WHOLE = 1000

export type Weighted = Frozen<Pick<StrategyVariant, 'name' | 'weight' | 'weightType'>>

/** A variant, with defaults for omitted fields. */
export function completeVariant(sent: SentVariant): Variant {
  const { name, weight, weightType = 'variable', stickiness = 'default', ...others } = sent
  return { name, weight, weightType, stickiness, ...others }
}

/**
 * The variants sorted by name. Variable weights share equally what the fixed ones leave; the remainder goes to the first
 * of them, one each.
 */
export function balanceWeights<Item extends Weighted>(variants: readonly Item[]): Item[] {
  const variable = variants.filter(({ weightType }) => weightType === 'variable')
  const rest = Math.max(0, WHOLE - fixedWeight(variants))
  const share = Math.floor(rest / variable.length)
  const remainder = rest % variable.length
  return variants
    .map((variant) => {
      const position = variable.indexOf(variant)
      return position === -1 ? variant : { ...variant, weight: share + (position < remainder ? 1 : 0) }
    })
    .toSorted((one, other) => one.name.localeCompare(other.name))
}

/** Whether the weights add up already, so that there is nothing to balance. */
export function hasWholeWeight(variants: readonly Weighted[]): boolean {
  return variants.length === 0 || variants.reduce((sum, { weight }) => sum + weight, 0) === WHOLE
}

/** The sum of the fixed weights. */
export function fixedWeight(variants: readonly Weighted[]): number {
  return variants.filter(({ weightType }) => weightType === 'fix').reduce((sum, { weight }) => sum + weight, 0)
}

/** The variants of a fixture: those without a weight share what the others leave. */
export function completeVariants<Given extends VariantFixture>(given: readonly Given[]) {
  const taken = given.reduce((sum, { weight = 0 }) => sum + weight, 0)
  const sharers = given.filter(({ weight }) => weight === undefined)
  const shared = (count: number) => Math.floor((Math.max(0, WHOLE - taken) * count) / sharers.length)
  const shareOf = (variant: Given) => shared(sharers.indexOf(variant) + 1) - shared(sharers.indexOf(variant))
  return given.map((variant) => {
    const { name, weight = shareOf(variant), weightType = 'variable', stickiness = 'default', ...others } = variant
    return { name, weight, weightType, stickiness, ...others }
  })
}
