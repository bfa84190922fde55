import type { Frozen } from '../../../support/freeze.js'
import type { Tables } from '../../shared/context.js'
import { presentTagOfFeature } from '../tags/present.js'
import type { Tag } from '../tags/schema.js'

/** The tags of a feature. */
export function presentTags(tags: readonly Frozen<Tag>[], tables: Tables) {
  return { version: 1, tags: tags.map((tag) => presentTagOfFeature(tag, tables)) }
}
