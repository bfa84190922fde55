import { fail, ok } from '../../../support/result.js'
import { logEvent } from '../../instance/events/actions.js'
import { nameTaken } from '../../shared/checks.js'
import { findRecord } from '../../shared/lookup.js'
import { defineOperation } from '../../shared/operation.js'
import { removeTags } from '../tags/actions.js'
import { createTagTypeRecord } from './rules.js'
import {
  createTagTypeSchema,
  tagTypeName,
  tagTypeSchema,
  tagTypesSchema,
  tagTypeWithVersionSchema,
  updateTagTypeSchema,
  validateTagTypeSchema,
} from './schema.js'

const tag = 'Tag types'
const what = 'tag type'

const getTagTypes = defineOperation({
  id: 'getTagTypes',
  method: 'GET',
  path: '/api/admin/tag-types',
  summary: 'List the tag types',
  tag,
  success: { status: 200, description: 'The tag types', schema: tagTypesSchema },
  run: ({ context }) => ok({ body: { version: 1, tagTypes: context.tables.tagTypes.list() } }),
})

const getTagType = defineOperation({
  id: 'getTagType',
  method: 'GET',
  path: '/api/admin/tag-types/:name',
  summary: 'Get a tag type',
  tag,
  success: { status: 200, description: 'The tag type', schema: tagTypeWithVersionSchema },
  errors: [404],
  run: ({ params, context }) => {
    const found = findRecord(context.tables.tagTypes, params.name, what)
    return found.ok ? ok({ body: { version: 1, tagType: found.value } }) : found
  },
})

const createTagType = defineOperation({
  id: 'createTagType',
  method: 'POST',
  path: '/api/admin/tag-types',
  summary: 'Create a tag type',
  tag,
  permission: 'CREATE_TAG_TYPE',
  body: createTagTypeSchema,
  success: {
    status: 201,
    description: 'The tag type',
    schema: tagTypeSchema,
    headers: { location: 'The path to read it at' },
  },
  errors: [409],
  run: ({ body, context }) => {
    const illegal = tagTypeName.check(body.name)
    if (illegal) return fail(illegal)
    const tagType = createTagTypeRecord(body)
    if (!context.tables.tagTypes.insert(tagType)) return fail(nameTaken(what, body.name))
    logEvent(context, { type: 'tag-type-created', data: tagType })
    return ok({ headers: { location: `tag-types/${tagType.name}` }, body: tagType })
  },
})

const validateTagType = defineOperation({
  id: 'validateTagType',
  method: 'POST',
  path: '/api/admin/tag-types/validate',
  summary: 'Check whether a tag type can be created',
  tag,
  permission: 'UPDATE_TAG_TYPE',
  body: createTagTypeSchema,
  success: { status: 200, description: 'It can', schema: validateTagTypeSchema },
  errors: [409],
  run: ({ body, context }) => {
    const illegal = tagTypeName.check(body.name)
    if (illegal) return fail(illegal)
    if (context.tables.tagTypes.has(body.name)) return fail(nameTaken(what, body.name))
    return ok({ body: { valid: true, tagType: createTagTypeRecord(body) } })
  },
})

const updateTagType = defineOperation({
  id: 'updateTagType',
  method: 'PUT',
  path: '/api/admin/tag-types/:name',
  summary: 'Update a tag type',
  tag,
  permission: 'UPDATE_TAG_TYPE',
  body: updateTagTypeSchema,
  success: { status: 200, description: 'The tag type is updated, if there is one' },
  run: ({ params, body, context }) => {
    const known = context.tables.tagTypes.get(params.name)
    const changed = createTagTypeRecord({ ...known, ...body, name: params.name })
    if (known !== undefined) context.tables.tagTypes.replace(changed)
    logEvent(context, { type: 'tag-type-updated', data: changed })
    return ok({})
  },
})

const deleteTagType = defineOperation({
  id: 'deleteTagType',
  method: 'DELETE',
  path: '/api/admin/tag-types/:name',
  summary: 'Delete a tag type and its tags',
  tag,
  permission: 'DELETE_TAG_TYPE',
  success: { status: 200, description: 'The tag type is deleted' },
  errors: [404],
  run: ({ params, context }) => {
    const found = findRecord(context.tables.tagTypes, params.name, what)
    if (!found.ok) return found
    removeTags(context.tables, ({ type }) => type === params.name)
    context.tables.tagTypes.remove(params.name)
    logEvent(context, { type: 'tag-type-deleted', data: null, preData: found.value })
    return ok({})
  },
})

export const tagTypeOperations = [
  getTagTypes,
  getTagType,
  createTagType,
  validateTagType,
  updateTagType,
  deleteTagType,
] as const
