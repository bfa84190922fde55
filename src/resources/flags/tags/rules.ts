import type { Frozen } from '../../../support/freeze.js'
import type { Tag } from './schema.js'

/** The key of a tag: `simple:checkout`. */
export function tagKey({ type, value }: Tag): string {
  return `${type}:${value}`
}

/** The tags without duplicates. */
export function distinctTags(tags: readonly Frozen<Tag>[]): Frozen<Tag>[] {
  return [...new Map(tags.map((tag) => [tagKey(tag), tag])).values()]
}

/** The tags with some added and some removed. */
export function changeTags(
  tags: readonly Frozen<Tag>[],
  { added = [], removed = [] }: { added?: readonly Tag[]; removed?: readonly Tag[] },
): Frozen<Tag>[] {
  const dropped = new Set(removed.map(tagKey))
  const more = added.map(({ type, value }) => ({ type, value }))
  return distinctTags([...tags.filter((tag) => !dropped.has(tagKey(tag))), ...more])
}
