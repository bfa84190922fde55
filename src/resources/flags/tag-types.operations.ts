import { reject } from '../../contract/errors.js'
import { logEvent } from '../instance/events.operations.js'
import { nameTaken } from '../shared/checks.js'
import { completed } from '../shared/fields.js'
import { findRecord } from '../shared/lookup.js'
import { created, del, get, operations, post, put } from '../shared/rows.js'
import {
  createTagTypeSchema,
  tagTypeName,
  tagTypeSchema,
  tagTypesSchema,
  tagTypeWithVersionSchema,
  updateTagTypeSchema,
  validateTagTypeSchema,
} from './tag-types.js'
import { removeTags } from './tags.operations.js'

const what = 'tag type'
export const tagTypeOperations = operations('Tag types', {
  getTagTypes: get('/api/admin/tag-types', {
    summary: 'List the tag types',
    success: { status: 200, description: 'The tag types', schema: tagTypesSchema },
    run: ({ context }) => ({ body: { version: 1, tagTypes: context.tables.tagTypes.list() } }),
  }),

  getTagType: get('/api/admin/tag-types/:name', {
    summary: 'Get a tag type',
    success: { status: 200, description: 'The tag type', schema: tagTypeWithVersionSchema },
    errors: [404],
    run: ({ params, context }) => {
      const found = findRecord(context.tables.tagTypes, params.name, what)
      return { body: { version: 1, tagType: found } }
    },
  }),

  createTagType: post('/api/admin/tag-types', {
    summary: 'Create a tag type',
    permission: 'CREATE_TAG_TYPE',
    body: createTagTypeSchema,
    success: created('The tag type', tagTypeSchema),
    errors: [409],
    run: ({ body, context }) => {
      reject(tagTypeName.check(body.name))
      const tagType = completed(tagTypeSchema, body, context)
      if (!context.tables.tagTypes.insert(tagType)) reject(nameTaken(what, body.name))
      logEvent(context, { type: 'tag-type-created', data: tagType })
      return { headers: { location: `tag-types/${tagType.name}` }, body: tagType }
    },
  }),

  validateTagType: post('/api/admin/tag-types/validate', {
    summary: 'Check whether a tag type can be created',
    permission: 'UPDATE_TAG_TYPE',
    body: createTagTypeSchema,
    success: { status: 200, description: 'It can', schema: validateTagTypeSchema },
    errors: [409],
    run: ({ body, context }) => {
      reject(tagTypeName.check(body.name))
      if (context.tables.tagTypes.has(body.name)) reject(nameTaken(what, body.name))
      return { body: { valid: true, tagType: completed(tagTypeSchema, body, context) } }
    },
  }),

  updateTagType: put('/api/admin/tag-types/:name', {
    summary: 'Update a tag type',
    permission: 'UPDATE_TAG_TYPE',
    body: updateTagTypeSchema,
    success: { status: 200, description: 'The tag type is updated, if there is one' },
    run: ({ params, body, context }) => {
      const known = context.tables.tagTypes.get(params.name)
      const changed = completed(tagTypeSchema, { ...known, ...body, name: params.name }, context)
      if (known !== undefined) context.tables.tagTypes.replace(changed)
      logEvent(context, { type: 'tag-type-updated', data: changed })
    },
  }),

  deleteTagType: del('/api/admin/tag-types/:name', {
    summary: 'Delete a tag type and its tags',
    permission: 'DELETE_TAG_TYPE',
    success: { status: 200, description: 'The tag type is deleted' },
    errors: [404],
    run: ({ params, context }) => {
      const found = findRecord(context.tables.tagTypes, params.name, what)
      removeTags(context.tables, ({ type }) => type === params.name)
      context.tables.tagTypes.remove(params.name)
      logEvent(context, { type: 'tag-type-deleted', data: null, preData: found })
    },
  }),
})
