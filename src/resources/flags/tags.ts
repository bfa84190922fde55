import * as z from 'zod'
import type { Frozen } from '../../support/freeze.js'
import { given } from '../shared/fields.js'
import { defineTable } from '../shared/table.js'

const someText = z.string().min(1)

/** A tag: a value of a tag type. */
export const tagSchema = z
  .object({
    /** The type of the tag, such as `simple`. */
    type: given(z.string(), someText),
    /** The value of the tag. */
    value: given(z.string(), someText),
  })
  .meta({ id: 'tagSchema' })

export type Tag = z.infer<typeof tagSchema>

/** A tag of a feature, with the color of its type. */
const tagOfFeatureSchema = tagSchema.extend({ color: z.string().nullable() }).meta({ id: 'featureTagSchema' })

const tagText = z
  .string()
  .trim()
  .min(2, 'must not be shorter than 2 characters')
  .max(50, 'must not be longer than 50 characters')

export const sentTagSchema = z
  .strictObject({ value: tagText, type: tagText, color: z.string().nullable().optional() })
  .meta({ id: 'createTagSchema' })

export const updateTagsSchema = z
  .strictObject({ addedTags: z.array(sentTagSchema), removedTags: z.array(sentTagSchema) })
  .meta({ id: 'updateTagsSchema' })

export const tagsBulkAddSchema = z
  .strictObject({ features: z.array(z.string().min(1, 'must not be empty')), tags: updateTagsSchema })
  .meta({ id: 'tagsBulkAddSchema' })

export const tagsSchema = z.object({ version: z.literal(1), tags: z.array(tagSchema) }).meta({ id: 'tagsSchema' })

export const featureTagsSchema = z
  .object({ version: z.literal(1), tags: z.array(tagOfFeatureSchema) })
  .meta({ id: 'featureTagsSchema' })

export const tagWithVersionSchema = z
  .object({ version: z.literal(1), tag: tagSchema })
  .meta({ id: 'tagWithVersionSchema' })

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

/** Tags that were created by themselves. Features may have others. */
export const tagTable = defineTable({
  record: tagSchema,
  keyName: 'a tag',
  key: tagKey,
  *references({ type }) {
    yield { at: 'type', to: 'tagTypes', key: type }
  },
})
