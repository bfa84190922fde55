import { badData, type Failure } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import type { Tables } from '../../shared/context.js'
import { changeTags, distinctTags, tagKey } from './rules.js'
import type { Tag } from './schema.js'

/** Every tag there is: those that were created, and those that features bear. */
export function allTags({ tags, features }: Tables): Frozen<Tag>[] {
  return distinctTags([...tags.list(), ...features.list().flatMap((feature) => feature.tags)])
}

export function hasTag(tables: Tables, tag: Tag): boolean {
  return tables.tags.has(tagKey(tag)) || tables.features.count('tag', tagKey(tag)) > 0
}

/** A refusal of tags whose type does not exist. */
export function checkTagTypes(tables: Tables, tags: readonly Tag[]): Failure | undefined {
  const stray = tags.find(({ type }) => !tables.tagTypes.has(type))
  return stray && badData(`There is no type of tags named "${stray.type}".`, '/body/type')
}

/** A refusal of tags that do not exist. */
export function checkTagsExist(tables: Tables, tags: readonly Tag[]): Failure | undefined {
  const stray = tags.find((tag) => !hasTag(tables, tag))
  return (
    stray && badData(`There is no tag "${stray.value}" of the type "${stray.type}"; create it first.`, '/body/tags')
  )
}

/** Takes tags away, from the features that bear them too. */
export function removeTags(tables: Tables, isGone: (tag: Frozen<Tag>) => boolean): void {
  for (const removed of allTags(tables).filter(isGone)) {
    for (const feature of tables.features.by('tag', tagKey(removed))) {
      tables.features.replace({ ...feature, tags: changeTags(feature.tags, { removed: [removed] }) })
    }
    tables.tags.remove(tagKey(removed))
  }
}
