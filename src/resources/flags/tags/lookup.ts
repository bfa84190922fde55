import type { Frozen } from '../../../support/freeze.js'
import type { Tables } from '../../shared/context.js'
import { distinctTags, tagKey } from './rules.js'
import type { Tag } from './schema.js'

/** All tags: those that were created, and those of features. */
export function allTags({ tags, features }: Tables): Frozen<Tag>[] {
  return distinctTags([...tags.list(), ...features.list().flatMap((feature) => feature.tags)])
}

export function hasTag(tables: Tables, tag: Tag): boolean {
  return tables.tags.has(tagKey(tag)) || tables.features.count('tag', tagKey(tag)) > 0
}
