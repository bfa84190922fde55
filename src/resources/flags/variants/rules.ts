import { badData, type Failure } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import type { SentVariant, StrategyVariant, Variant } from './schema.js'

/** What the weights of all variants come to together. */
export const WHOLE = 1000

type Weighed = Frozen<Pick<StrategyVariant, 'name' | 'weight' | 'weightType'>>

/** A refusal of variants that can't share the whole between them. */
export function checkVariants(variants: readonly Weighed[]): Failure | undefined {
  if (variants.length === 0) return undefined
  const at = '/body/variants'
  if (new Set(variants.map(({ name }) => name)).size < variants.length) {
    return badData('Each variant needs a name of its own.', at)
  }
  if (fixedWeight(variants) > WHOLE) return badData(`The fixed weights come to more than ${WHOLE}.`, at)
  const hasVariable = variants.some(({ weightType }) => weightType === 'variable')
  return hasVariable ? undefined : badData('At least one variant must have the weightType "variable".', at)
}

/** A variant with what was not said of it filled in. */
export function completeVariant(sent: SentVariant): Variant {
  return { ...sent, weightType: sent.weightType ?? 'variable', stickiness: sent.stickiness ?? 'default' }
}

/** Variants by name, their variable weights sharing equally what the fixed ones leave; the first take what is over. */
export function balanceWeights<Item extends Weighed>(variants: readonly Item[]): Item[] {
  const variable = variants.filter(({ weightType }) => weightType === 'variable')
  const rest = Math.max(0, WHOLE - fixedWeight(variants))
  const share = Math.floor(rest / variable.length)
  const over = rest % variable.length
  return variants
    .map((variant) => {
      const position = variable.indexOf(variant)
      return position === -1 ? variant : { ...variant, weight: share + (position < over ? 1 : 0) }
    })
    .toSorted((one, other) => one.name.localeCompare(other.name))
}

/** Whether the weights come to the whole already, so that there is nothing to balance. */
export function hasWholeWeight(variants: readonly Weighed[]): boolean {
  return variants.length === 0 || variants.reduce((sum, { weight }) => sum + weight, 0) === WHOLE
}

function fixedWeight(variants: readonly Weighed[]): number {
  return variants.filter(({ weightType }) => weightType === 'fix').reduce((sum, { weight }) => sum + weight, 0)
}
