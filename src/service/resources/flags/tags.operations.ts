import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { badData, type Failure, notFound, reject } from '../../contract/errors.js'
import { logEvent } from '../instance/events.operations.js'
import { nameTaken } from '../shared/checks.js'
import type { OperationContext, Tables } from '../shared/context.js'
import { completed } from '../shared/fields.js'
import { findRecord } from '../shared/lookup.js'
import { created, del, get, ok, operations, post, put } from '../shared/rows.js'
import { named, versioned } from '../shared/schema.js'
import {
  colorSchema,
  createTagTypeSchema,
  distinctTags,
  sentTagSchema,
  type Tag,
  tagKey,
  tagsSchema,
  tagTypeName,
  tagTypeSchema,
  tagWithVersionSchema,
} from './tags.js'

/** All tags: created tags, and tags of features. */
function allTags({ tags, features }: Tables): Frozen<Tag>[] {
  return distinctTags([...tags.list(), ...features.list().flatMap((feature) => feature.tags)])
}

export function hasTag(tables: Tables, tag: Tag): boolean {
  return tables.tags.has(tagKey(tag)) || tables.features.count('tag', tagKey(tag)) > 0
}

export function checkTagTypes(tables: Tables, tags: readonly Tag[]): Failure | undefined {
  const unknown = tags.find(({ type }) => !tables.tagTypes.has(type))
  return unknown && badData(`There is no tag type "${unknown.type}".`, '/body/type')
}

export function checkTagsExist(tables: Tables, tags: readonly Tag[]): Failure | undefined {
  const unknown = tags.find((tag) => !hasTag(tables, tag))
  return (
    unknown &&
    badData(`There is no tag "${unknown.value}" of the type "${unknown.type}". Create it first.`, '/body/tags')
  )
}

export function insertTag(context: OperationContext, tag: Tag): void {
  context.tables.tags.insert(tag)
  logEvent(context, { type: 'tag-created', data: tag })
}

/** Removes the matching tags, including from features. */
function removeTags(tables: Tables, matches: (tag: Frozen<Tag>) => boolean): void {
  for (const feature of tables.features.list()) {
    const tags = feature.tags.filter((tag) => !matches(tag))
    if (tags.length < feature.tags.length) tables.features.replace({ ...feature, tags })
  }
  for (const tag of tables.tags.list()) if (matches(tag)) tables.tags.remove(tagKey(tag))
}

export function presentTagOfFeature({ type, value }: Frozen<Tag>, { tagTypes }: Tables) {
  return { type, value, color: tagTypes.get(type)?.color ?? null }
}

export const tagOperations = operations('Tags', {
  getTags: get('/api/admin/tags', {
    summary: 'List the tags',
    success: ok('All tags', tagsSchema),
    run: ({ tables }) => ({ body: { version: 1, tags: allTags(tables) } }),
  }),

  getTagsByType: get('/api/admin/tags/:type', {
    summary: 'List the tags of one type',
    success: ok('All tags', tagsSchema),
    errors: [],
    run: ({ params, tables }) => ({
      body: { version: 1, tags: allTags(tables).filter(({ type }) => type === params.type) },
    }),
  }),

  getTag: get('/api/admin/tags/:type/:value', {
    summary: 'Get a tag',
    success: ok('The tag', tagWithVersionSchema),
    run: ({ params: { type, value }, tables }) => {
      const tag = { type, value }
      if (!hasTag(tables, tag)) reject(notFound(`There is no tag "${value}" of the type "${type}".`))
      return { body: { version: 1, tag } }
    },
  }),

  createTag: post('/api/admin/tags', {
    summary: 'Create a tag',
    body: sentTagSchema,
    success: created('The tag', tagWithVersionSchema),
    errors: [409],
    run: ({ body: { type, value }, context, tables }) => {
      const created = { type, value }
      reject(checkTagTypes(tables, [created]))
      if (hasTag(tables, created)) reject(nameTaken('tag', tagKey(created)))
      insertTag(context, created)
      return { headers: { location: `tags/${type}/${value}` }, body: { version: 1, tag: created } }
    },
  }),

  deleteTag: del('/api/admin/tags/:type/:value', {
    summary: 'Delete a tag and remove it from all features',
    permission: 'UPDATE_FEATURE',
    success: { status: 200, description: 'The tag no longer exists' },
    errors: [],
    run: ({ params: { type, value }, context }) => {
      const deleted = { type, value }
      removeTags(context.tables, (other) => tagKey(other) === tagKey(deleted))
      logEvent(context, { type: 'tag-deleted', data: deleted })
    },
  }),
})

const what = 'tag type'

export const tagTypeOperations = operations('Tag types', {
  getTagTypes: get('/api/admin/tag-types', {
    summary: 'List the tag types',
    success: ok(
      'The tag types',
      versioned('tagTypesSchema', () => ({ tagTypes: z.array(tagTypeSchema) })),
    ),
    run: ({ context }) => ({ body: { version: 1, tagTypes: context.tables.tagTypes.list() } }),
  }),

  getTagType: get('/api/admin/tag-types/:name', {
    summary: 'Get a tag type',
    success: ok(
      'The tag type',
      versioned('tagTypeWithVersionSchema', () => ({ tagType: tagTypeSchema })),
    ),
    run: ({ params, tables }) => ({ body: { version: 1, tagType: findRecord(tables.tagTypes, params.name, what) } }),
  }),

  createTagType: post('/api/admin/tag-types', {
    summary: 'Create a tag type',
    permission: 'CREATE_TAG_TYPE',
    body: createTagTypeSchema,
    success: created('The tag type, unchanged', createTagTypeSchema),
    errors: [409],
    run: ({ body, context }) => {
      reject(tagTypeName.check(body.name))
      if (context.tables.tagTypes.has(body.name)) reject(nameTaken(what, body.name))
      context.tables.tagTypes.insert(completed(tagTypeSchema, body, context))
      logEvent(context, { type: 'tag-type-created', data: body })
      return { headers: { location: `tag-types/${body.name}` }, body }
    },
  }),

  validateTagType: post('/api/admin/tag-types/validate', {
    summary: 'Check whether a tag type can be created',
    body: createTagTypeSchema,
    success: ok(
      'The tag type can be created',
      named('validateTagTypeSchema', () => ({ valid: z.boolean(), tagType: createTagTypeSchema })),
    ),
    errors: [409],
    run: ({ body, context }) => {
      reject(tagTypeName.check(body.name))
      if (context.tables.tagTypes.has(body.name)) reject(nameTaken(what, body.name))
      return { body: { valid: true, tagType: body } }
    },
  }),

  updateTagType: put('/api/admin/tag-types/:name', {
    summary: 'Update a tag type',
    permission: 'UPDATE_TAG_TYPE',
    body: named('updateTagTypeSchema', () => ({
      description: z.string().optional(),
      icon: z.string().optional(),
      color: colorSchema.optional(),
    })),
    success: { status: 200, description: 'The tag type is updated' },
    run: ({ params, body, context }) => {
      if (Object.keys(body).length === 0)
        reject(badData('Nothing to change: send a description, an icon or a color.', '/body'))
      const known = findRecord(context.tables.tagTypes, params.name, what)
      context.tables.tagTypes.replace(completed(tagTypeSchema, { ...known, ...body }, context))
      logEvent(context, { type: 'tag-type-updated', data: { ...body, name: params.name } })
    },
  }),

  deleteTagType: del('/api/admin/tag-types/:name', {
    summary: 'Delete a tag type and its tags',
    permission: 'DELETE_TAG_TYPE',
    success: { status: 200, description: 'The tag type is deleted' },
    run: ({ params, context }) => {
      const found = findRecord(context.tables.tagTypes, params.name, what)
      removeTags(context.tables, ({ type }) => type === params.name)
      context.tables.tagTypes.remove(params.name)
      logEvent(context, { type: 'tag-type-deleted', data: null, preData: found })
    },
  }),
})
