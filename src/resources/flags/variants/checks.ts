import { badData, type Failure } from '../../../contract/errors.js'
import { fixedWeight, type Weighted, WHOLE } from './rules.js'

/** Fails if two variants share a name, or if their weights can't add up. */
export function checkVariants(variants: readonly Weighted[]): Failure | undefined {
  if (variants.length === 0) return undefined
  const at = '/body/variants'
  if (new Set(variants.map(({ name }) => name)).size < variants.length) {
    return badData('The names of variants must be unique.', at)
  }
  if (fixedWeight(variants) > WHOLE) return badData(`The fixed weights add up to more than ${WHOLE}.`, at)
  const hasVariable = variants.some(({ weightType }) => weightType === 'variable')
  return hasVariable ? undefined : badData('At least one variant must have the weightType "variable".', at)
}
