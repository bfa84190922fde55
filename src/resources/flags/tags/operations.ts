import { notFound } from '../../../contract/errors.js'
import { fail, ok } from '../../../support/result.js'
import { logEvent } from '../../instance/events/actions.js'
import { nameTaken } from '../../shared/lookup.js'
import { defineOperation } from '../../shared/operation.js'
import { allTags, checkTagTypes, hasTag, removeTags } from './lookup.js'
import { tagKey } from './rules.js'
import { sentTagSchema, tagsSchema, tagWithVersionSchema } from './schema.js'

const tag = 'Tags'

const getTags = defineOperation({
  id: 'getTags',
  method: 'GET',
  path: '/api/admin/tags',
  summary: 'The tags',
  tag,
  access: 'admin',
  success: { status: 200, description: 'The tags', schema: tagsSchema },
  errors: [401],
  run: ({ context }) => ok({ body: { version: 1, tags: allTags(context.tables) } }),
})

const getTagsByType = defineOperation({
  id: 'getTagsByType',
  method: 'GET',
  path: '/api/admin/tags/:type',
  summary: 'The tags of one type',
  tag,
  access: 'admin',
  success: { status: 200, description: 'The tags', schema: tagsSchema },
  errors: [400, 401],
  run: ({ params, context }) => {
    const tags = allTags(context.tables).filter(({ type }) => type === params.type)
    return ok({ body: { version: 1, tags } })
  },
})

const getTag = defineOperation({
  id: 'getTag',
  method: 'GET',
  path: '/api/admin/tags/:type/:value',
  summary: 'One tag',
  tag,
  access: 'admin',
  success: { status: 200, description: 'The tag', schema: tagWithVersionSchema },
  errors: [400, 401, 404],
  run: ({ params: { type, value }, context }) => {
    const asked = { type, value }
    return hasTag(context.tables, asked) ? ok({ body: { version: 1, tag: asked } }) : fail(unknownTag(asked))
  },
})

const createTag = defineOperation({
  id: 'createTag',
  method: 'POST',
  path: '/api/admin/tags',
  summary: 'Create a tag',
  tag,
  access: 'admin',
  permission: 'UPDATE_FEATURE',
  body: sentTagSchema,
  success: {
    status: 201,
    description: 'The tag',
    schema: tagWithVersionSchema,
    headers: { location: 'PermissionScope it is read' },
  },
  errors: [400, 401, 403, 409, 413, 415],
  run: ({ body: { type, value }, context }) => {
    const { tables } = context
    const asked = { type, value }
    const stray = checkTagTypes(tables, [asked])
    if (stray) return fail(stray)
    if (hasTag(tables, asked)) return fail(nameTaken('tag', tagKey(asked)))
    tables.tags.insert(asked)
    logEvent(context, { type: 'tag-created', data: asked })
    return ok({ headers: { location: `tags/${type}/${value}` }, body: { version: 1, tag: asked } })
  },
})

const deleteTag = defineOperation({
  id: 'deleteTag',
  method: 'DELETE',
  path: '/api/admin/tags/:type/:value',
  summary: 'Delete a tag, from the features that bear it too',
  tag,
  access: 'admin',
  permission: 'UPDATE_FEATURE',
  success: { status: 200, description: 'The tag is gone' },
  errors: [400, 401, 403, 404],
  run: ({ params: { type, value }, context }) => {
    const asked = { type, value }
    if (!hasTag(context.tables, asked)) return fail(unknownTag(asked))
    removeTags(context.tables, (other) => tagKey(other) === tagKey(asked))
    logEvent(context, { type: 'tag-deleted', data: asked })
    return ok({})
  },
})

function unknownTag(asked: { type: string; value: string }) {
  return notFound(`There is no tag "${asked.value}" of the type "${asked.type}".`)
}

export const tagOperations = [getTags, getTagsByType, getTag, createTag, deleteTag] as const
