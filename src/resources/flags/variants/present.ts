import type { Frozen } from '../../../support/freeze.js'
import type { Variant } from './schema.js'

/** The variants of a feature in an environment. */
export function presentVariants(variants: readonly Frozen<Variant>[]) {
  return { version: 1, variants }
}
