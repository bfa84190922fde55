import type { Frozen } from '../../../support/freeze.js'
import type { FeatureLink } from './schema.js'

/** A link as events show it. */
export function presentLink({ url, title }: Frozen<FeatureLink>) {
  return { url, title }
}
