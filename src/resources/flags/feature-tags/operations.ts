import type { Failure } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, ok, type Result } from '../../../support/result.js'
import { logEvent } from '../../instance/events/actions.js'
import type { OperationContext } from '../../shared/context.js'
import { defineOperation } from '../../shared/operation.js'
import { type FeatureEvent, saveFeature } from '../features/actions.js'
import { findFeature } from '../features/lookup.js'
import type { FeatureRecord } from '../features/schema.js'
import { checkTagTypes, hasTag } from '../tags/lookup.js'
import { changeTags, tagKey } from '../tags/rules.js'
import {
  featureTagsSchema,
  sentTagSchema,
  type Tag,
  tagSchema,
  tagsBulkAddSchema,
  updateTagsSchema,
} from '../tags/schema.js'

const tag = 'Tags'

const listTags = defineOperation({
  id: 'listTags',
  method: 'GET',
  path: '/api/admin/features/:featureName/tags',
  summary: 'The tags of a feature',
  tag,
  access: 'admin',
  success: { status: 200, description: 'The tags', schema: featureTagsSchema },
  errors: [400, 401, 404],
  run: ({ params, context: { tables } }) => {
    const feature = findFeature(tables, params.featureName)
    return feature.ok ? ok({ body: presentTags(feature.value.tags, tables) }) : feature
  },
})

const addTag = defineOperation({
  id: 'addTag',
  method: 'POST',
  path: '/api/admin/features/:featureName/tags',
  summary: 'Tag a feature; a tag that there is not yet is created',
  tag,
  access: 'admin',
  permission: 'UPDATE_FEATURE',
  body: sentTagSchema,
  success: {
    status: 201,
    description: 'The tag',
    schema: tagSchema,
    headers: { location: "PermissionScope the feature's tags are read" },
  },
  errors: [400, 401, 403, 404, 413, 415],
  run: ({ params, body: { type, value }, context }) => {
    const changed = retag(context, params.featureName, { added: [{ type, value }] })
    if (!changed.ok) return changed
    return ok({ headers: { location: `${params.featureName}/tags` }, body: { type, value } })
  },
})

const updateTags = defineOperation({
  id: 'updateTags',
  method: 'PUT',
  path: '/api/admin/features/:featureName/tags',
  summary: 'Add tags to a feature and take others away',
  tag,
  access: 'admin',
  permission: 'UPDATE_FEATURE',
  body: updateTagsSchema,
  success: { status: 200, description: 'All tags of the feature', schema: featureTagsSchema },
  errors: [400, 401, 403, 404, 413, 415],
  run: ({ params, body, context }) => {
    const changed = retag(context, params.featureName, { added: body.addedTags, removed: body.removedTags })
    return changed.ok ? ok({ body: presentTags(changed.value.tags, context.tables) }) : changed
  },
})

const removeTag = defineOperation({
  id: 'removeTag',
  method: 'DELETE',
  path: '/api/admin/features/:featureName/tags/:type/:value',
  summary: 'Take a tag away from a feature',
  tag,
  access: 'admin',
  permission: 'UPDATE_FEATURE',
  success: { status: 200, description: 'The feature does not bear the tag' },
  errors: [400, 401, 403, 404],
  run: ({ params: { featureName, type, value }, context }) => {
    const changed = retag(context, featureName, { removed: [{ type, value }] })
    return changed.ok ? ok({}) : changed
  },
})

const addTagToFeatures = defineOperation({
  id: 'addTagToFeatures',
  method: 'PUT',
  path: '/api/admin/projects/:projectId/tags',
  summary: 'Add tags to several features and take others away',
  tag,
  access: 'admin',
  permission: 'UPDATE_FEATURE',
  body: tagsBulkAddSchema,
  success: { status: 200, description: 'The tags are changed' },
  errors: [400, 401, 403, 404, 413, 415],
  run: ({ body: { features, tags }, context }) => {
    for (const name of features) {
      const changed = retag(context, name, { added: tags.addedTags, removed: tags.removedTags })
      if (!changed.ok) return changed
    }
    return ok({})
  },
})

interface TagChange {
  added?: readonly Tag[]
  removed?: readonly Tag[]
}

/** Changes the tags of a feature, creates those that there are not yet, and logs each that comes or goes. */
function retag(
  context: OperationContext,
  featureName: string,
  { added = [], removed = [] }: TagChange,
): Result<Frozen<FeatureRecord>, Failure> {
  const { tables } = context
  const feature = findFeature(tables, featureName)
  if (!feature.ok) return feature
  const stray = checkTagTypes(tables, added)
  if (stray) return fail(stray)
  for (const { type, value } of added) createMissingTag(context, { type, value })

  const { tags: before } = feature.value
  const tags = changeTags(before, { added, removed })
  const events: FeatureEvent[] = [
    ...tags.filter((one) => !includes(before, one)).map((data) => ({ type: 'feature-tagged', data })),
    ...before
      .filter((one) => !includes(tags, one))
      .map((preData) => ({ type: 'feature-untagged', data: null, preData })),
  ]
  return ok(saveFeature(context, { ...feature.value, tags }, events, { asGroup: false }))
}

function createMissingTag(context: OperationContext, asked: Tag): void {
  if (hasTag(context.tables, asked)) return
  context.tables.tags.insert(asked)
  logEvent(context, { type: 'tag-created', data: asked })
}

function includes(tags: readonly Frozen<Tag>[], wanted: Frozen<Tag>): boolean {
  return tags.some((one) => tagKey(one) === tagKey(wanted))
}

/** The tags of a feature, each with the colour of its type. */
function presentTags(tags: readonly Frozen<Tag>[], { tagTypes }: OperationContext['tables']) {
  return {
    version: 1,
    tags: tags.map(({ type, value }) => ({ type, value, color: tagTypes.get(type)?.color ?? null })),
  }
}

export const featureTagOperations = [listTags, addTag, updateTags, removeTag, addTagToFeatures] as const
