import { notFound } from '../../../contract/errors.js'
import { fail, ok } from '../../../support/result.js'
import { logEvent } from '../../instance/events/actions.js'
import { nameTaken } from '../../shared/checks.js'
import { defineOperation } from '../../shared/operation.js'
import { insertTag, removeTags } from './actions.js'
import { checkTagTypes } from './checks.js'
import { allTags, hasTag } from './lookup.js'
import { tagKey } from './rules.js'
import { sentTagSchema, type Tag, tagsSchema, tagWithVersionSchema } from './schema.js'

const tag = 'Tags'

const getTags = defineOperation({
  id: 'getTags',
  method: 'GET',
  path: '/api/admin/tags',
  summary: 'List the tags',
  tag,
  success: { status: 200, description: 'All tags', schema: tagsSchema },
  run: ({ context }) => ok({ body: { version: 1, tags: allTags(context.tables) } }),
})

const getTagsByType = defineOperation({
  id: 'getTagsByType',
  method: 'GET',
  path: '/api/admin/tags/:type',
  summary: 'List the tags of one type',
  tag,
  success: { status: 200, description: 'All tags', schema: tagsSchema },
  run: ({ params, context }) => {
    const tags = allTags(context.tables).filter(({ type }) => type === params.type)
    return ok({ body: { version: 1, tags } })
  },
})

const getTag = defineOperation({
  id: 'getTag',
  method: 'GET',
  path: '/api/admin/tags/:type/:value',
  summary: 'Get a tag',
  tag,
  success: { status: 200, description: 'The tag', schema: tagWithVersionSchema },
  errors: [404],
  run: ({ params: { type, value }, context }) => {
    const found = { type, value }
    return hasTag(context.tables, found) ? ok({ body: { version: 1, tag: found } }) : unknownTag(found)
  },
})

const createTag = defineOperation({
  id: 'createTag',
  method: 'POST',
  path: '/api/admin/tags',
  summary: 'Create a tag',
  tag,
  permission: 'UPDATE_FEATURE',
  body: sentTagSchema,
  success: {
    status: 201,
    description: 'The tag',
    schema: tagWithVersionSchema,
    headers: { location: 'The path to read it at' },
  },
  errors: [409],
  run: ({ body: { type, value: sent }, context }) => {
    const { tables } = context
    const value = sent.trim()
    const created = { type, value }
    const failure = checkTagTypes(tables, [created])
    if (failure) return fail(failure)
    if (hasTag(tables, created)) return fail(nameTaken('tag', tagKey(created)))
    insertTag(context, created)
    return ok({ headers: { location: `tags/${type}/${value}` }, body: { version: 1, tag: created } })
  },
})

const deleteTag = defineOperation({
  id: 'deleteTag',
  method: 'DELETE',
  path: '/api/admin/tags/:type/:value',
  summary: 'Delete a tag and remove it from all features',
  tag,
  permission: 'UPDATE_FEATURE',
  success: { status: 200, description: 'There is no such tag any more' },
  run: ({ params: { type, value }, context }) => {
    const deleted = { type, value }
    removeTags(context.tables, (other) => tagKey(other) === tagKey(deleted))
    logEvent(context, { type: 'tag-deleted', data: deleted })
    return ok({})
  },
})

function unknownTag({ type, value }: Tag) {
  return fail(notFound(`There is no tag "${value}" of the type "${type}".`))
}

export const tagOperations = [getTags, getTagsByType, getTag, createTag, deleteTag] as const
