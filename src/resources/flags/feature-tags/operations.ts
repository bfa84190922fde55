import { badData } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, ok } from '../../../support/result.js'
import type { Tables } from '../../shared/context.js'
import { defineOperation } from '../../shared/operation.js'
import { forEachFeature } from '../features/actions.js'
import { findFeature } from '../features/lookup.js'
import { presentTagOfFeature } from '../tags/present.js'
import {
  featureTagsSchema,
  sentTagSchema,
  type Tag,
  tagSchema,
  tagsBulkAddSchema,
  updateTagsSchema,
} from '../tags/schema.js'
import { changeTagsOfFeature } from './actions.js'

const tag = 'Tags'

const listTags = defineOperation({
  id: 'listTags',
  method: 'GET',
  path: '/api/admin/features/:featureName/tags',
  summary: 'List the tags of a feature',
  tag,
  success: { status: 200, description: 'All tags', schema: featureTagsSchema },
  errors: [404],
  run: ({ params, context }) => {
    const feature = findFeature(context.tables, params.featureName)
    return feature.ok ? ok({ body: presentTags(feature.value.tags, context.tables) }) : feature
  },
})

const addTag = defineOperation({
  id: 'addTag',
  method: 'POST',
  path: '/api/admin/features/:featureName/tags',
  summary: 'Add a tag to a feature; creates the tag if necessary',
  tag,
  permission: 'UPDATE_FEATURE',
  body: sentTagSchema,
  success: {
    status: 201,
    description: 'The tag',
    schema: tagSchema,
    headers: { location: "The path to read the feature's tags at" },
  },
  errors: [404],
  run: ({ params, body: { type, value }, context }) => {
    const changed = changeTagsOfFeature(context, params.featureName, { added: [{ type, value }] })
    if (!changed.ok) return changed
    return ok({ headers: { location: `${params.featureName}/tags` }, body: { type, value } })
  },
})

const updateTags = defineOperation({
  id: 'updateTags',
  method: 'PUT',
  path: '/api/admin/features/:featureName/tags',
  summary: 'Add and remove tags of a feature',
  tag,
  permission: 'UPDATE_FEATURE',
  body: updateTagsSchema,
  success: { status: 200, description: 'All tags of the feature', schema: featureTagsSchema },
  errors: [404],
  run: ({ params, body, context }) => {
    const changed = changeTagsOfFeature(context, params.featureName, {
      added: body.addedTags,
      removed: body.removedTags,
    })
    return changed.ok ? ok({ body: presentTags(changed.value.tags, context.tables) }) : changed
  },
})

const removeTag = defineOperation({
  id: 'removeTag',
  method: 'DELETE',
  path: '/api/admin/features/:featureName/tags/:type/:value',
  summary: 'Remove a tag from a feature',
  tag,
  permission: 'UPDATE_FEATURE',
  success: { status: 200, description: 'The feature does not have the tag' },
  errors: [404],
  run: ({ params: { featureName, type, value }, context }) => {
    const changed = changeTagsOfFeature(context, featureName, { removed: [{ type, value }] })
    return changed.ok ? ok({}) : changed
  },
})

const addTagToFeatures = defineOperation({
  id: 'addTagToFeatures',
  method: 'PUT',
  path: '/api/admin/projects/:projectId/tags',
  summary: 'Add and remove tags of several features',
  tag,
  permission: 'UPDATE_FEATURE',
  body: tagsBulkAddSchema,
  success: { status: 200, description: 'The tags are changed' },
  errors: [404],
  run: ({ params: { projectId }, body: { features, tags }, context }) => {
    const strange = features.find((name) => (context.tables.features.get(name)?.project ?? projectId) !== projectId)
    if (strange !== undefined) {
      return fail(badData(`The feature "${strange}" is not in the project "${projectId}".`, '/body/features'))
    }
    return forEachFeature(features, (name) => {
      const changed = changeTagsOfFeature(context, name, { added: tags.addedTags, removed: tags.removedTags })
      return changed.ok ? undefined : changed.failure
    })
  },
})

export const featureTagOperations = [listTags, addTag, updateTags, removeTag, addTagToFeatures] as const

function presentTags(tags: readonly Frozen<Tag>[], tables: Tables) {
  return { version: 1, tags: tags.map((tag) => presentTagOfFeature(tag, tables)) }
}
