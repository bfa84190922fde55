import type { Frozen } from '../../../support/freeze.js'
import type { Tables } from '../../shared/context.js'
import type { Tag } from './schema.js'

/** A tag of a feature, with the color of its type. */
export function presentTagOfFeature({ type, value }: Frozen<Tag>, { tagTypes }: Tables) {
  return { type, value, color: tagTypes.get(type)?.color ?? null }
}
