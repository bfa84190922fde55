import * as z from 'zod'
import { deepFreeze, type Frozen } from '../../../support/freeze.js'
import { compareTexts, nameRule } from '../shared/checks.js'
import { field, given, optional } from '../shared/fields.js'
import { named, namedStrict, versioned } from '../shared/schema.js'
import { defineTable } from '../shared/table.js'

/** The type that every Unleash instance starts with. */
export const SIMPLE = 'simple'

export const tagTypeName = nameRule({ shortest: 2, longest: 50 })

export const colorSchema = z
  .string()
  .regex(/^#[0-9A-Fa-f]{6}$/, 'must match the pattern "^#[0-9A-Fa-f]{6}$", such as "#FF0000"')

export const tagTypeSchema = named('tagTypeSchema', () => ({
  name: field(z.string().min(1), 'The name.'),
  description: optional(z.string().nullable(), null, 'The description.'),
  icon: optional(z.string().nullable(), null, 'The icon.'),
  color: optional(colorSchema.nullable(), null, 'The colour, such as `#FF0000`.'),
}))

export const createTagTypeSchema = namedStrict('createTagTypeSchema', () => ({
  ...tagTypeSchema.partial().shape,
  name: tagTypeName.schema,
  description: z.string().optional(),
}))

export const tagTypeTable = defineTable({
  meaning: 'Types of tags. Only `name` is needed.',
  record: tagTypeSchema,
  keyName: 'a type of tags',
  key: ({ name }) => name,
})

const someText = z.string().min(1)

/** A tag: a value of a tag type. */
export const tagSchema = named('tagSchema', () => ({
  type: given(z.string(), someText, 'The type of the tag, such as `simple`.'),
  value: given(z.string(), someText, 'The value of the tag.'),
}))

export type Tag = z.infer<typeof tagSchema>

/** A tag of a feature, with the color of its type. */
const tagOfFeatureSchema = named('featureTagSchema', () => tagSchema.extend({ color: z.string().nullable() }).shape)

function tagText(text: z.ZodString) {
  const message = 'must match the pattern "^\\s*\\S.{0,48}\\S\\s*$": 2 to 50 characters'
  return text.min(2, message).max(50, message)
}

const trimmedTagText = tagText(z.string().trim())

export const sentTagSchema = namedStrict('createTagSchema', () => ({
  value: trimmedTagText,
  type: trimmedTagText,
  color: colorSchema.nullable().optional(),
}))

/** A tag of a feature in a request. It keeps surrounding spaces. */
export const sentTagOfFeatureSchema = namedStrict('addFeatureTagSchema', () => ({
  ...sentTagSchema.shape,
  value: tagText(z.string()),
  type: tagText(z.string()),
}))

export const updateTagsSchema = namedStrict('updateTagsSchema', () => ({
  addedTags: z.array(sentTagOfFeatureSchema),
  removedTags: z.array(sentTagOfFeatureSchema),
}))

export const tagsSchema = versioned('tagsSchema', () => ({ tags: z.array(tagSchema) }))

export const featureTagsSchema = versioned('featureTagsSchema', () => ({ tags: z.array(tagOfFeatureSchema) }))

export const tagWithVersionSchema = versioned('tagWithVersionSchema', () => ({ tag: tagSchema }))

/** A tag in a URL, such as `simple:beta`. */
const urlTag = z.string().regex(/^[^:]+:./, 'must be a type and a value, such as "simple:beta"')

/** A filter in a URL. */
export const sentTagsSchema = z.union([urlTag, z.array(urlTag)], { error: 'must be tags such as "simple:beta"' })

/** The key of a tag: `simple:checkout`. */
export function tagKey({ type, value }: Tag): string {
  return `${type}:${value}`
}

export function distinctTags(tags: readonly Frozen<Tag>[]): Frozen<Tag>[] {
  return [...new Map(tags.map((tag) => [tagKey(tag), tag])).values()]
}

const sorted = new WeakMap<readonly Frozen<Tag>[], readonly Frozen<Tag>[]>()

/** Tags by type and value. Sorted once for all events of the feature. */
export function inTagOrder(tags: readonly Frozen<Tag>[]): readonly Frozen<Tag>[] {
  const known = sorted.get(tags)
  if (known !== undefined) return known
  const made = deepFreeze(
    tags.toSorted((one, other) => compareTexts(one.type, other.type) || compareTexts(one.value, other.value)),
  )
  sorted.set(tags, made)
  return made
}

export function changeTags(
  tags: readonly Frozen<Tag>[],
  { added, removed }: { added: readonly Frozen<Tag>[]; removed: ReadonlySet<string> },
): Frozen<Tag>[] {
  return distinctTags([...tags, ...added]).filter((tag) => !removed.has(tagKey(tag)))
}

/** Tags created by their own operation. Features can have other tags. */
export const tagTable = defineTable({
  meaning: 'All tags, whether a feature has them or not.',
  record: tagSchema,
  keyName: 'a tag',
  key: tagKey,
  *references({ type }) {
    yield { at: 'type', to: 'tagTypes', key: type }
  },
})
