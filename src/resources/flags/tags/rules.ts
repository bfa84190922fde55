import type { Frozen } from '../../../support/freeze.js'
import type { Tag } from './schema.js'

/** The key of a tag: `simple:checkout`. */
export function tagKey({ type, value }: Tag): string {
  return `${type}:${value}`
}

/** A list of tags, each once. */
export function distinctTags(tags: readonly Frozen<Tag>[]): Frozen<Tag>[] {
  return [...new Map(tags.map((tag) => [tagKey(tag), tag])).values()]
}

/** A list of tags with some more and some fewer. */
export function changeTags(
  tags: readonly Frozen<Tag>[],
  { added = [], removed = [] }: { added?: readonly Tag[]; removed?: readonly Tag[] },
): Frozen<Tag>[] {
  const gone = new Set(removed.map(tagKey))
  const more = added.map(({ type, value }) => ({ type, value }))
  return distinctTags([...tags.filter((tag) => !gone.has(tagKey(tag))), ...more])
}
