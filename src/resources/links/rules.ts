import type { Frozen } from '../../support/freeze.js'
import type { FeatureLink } from './schema.js'

/** A link as events tell of it. */
export function presentLink({ url, title }: Frozen<FeatureLink>) {
  return { url, title }
}
