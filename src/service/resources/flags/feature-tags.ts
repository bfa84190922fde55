import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { badData, notFound, reject } from '../../contract/errors.js'
import { byName } from '../shared/checks.js'
import type { OperationContext, Tables } from '../shared/context.js'
import { created, del, get, ok, operations, post, put } from '../shared/rows.js'
import { namedStrict } from '../shared/schema.js'
import type { StoredFeature } from './features.js'
import { type FeatureEvent, findFeature, saveFeature } from './features.model.js'
import {
  changeTags,
  distinctTags,
  featureTagsSchema,
  inTagOrder,
  sentTagOfFeatureSchema,
  type Tag,
  tagKey,
  tagSchema,
  updateTagsSchema,
} from './tags.js'
import { checkTagTypes, hasTag, insertTag, presentTagOfFeature } from './tags.operations.js'

interface TagChange {
  added?: readonly Frozen<Tag>[]
  removed?: readonly Frozen<Tag>[]
}

/** Adds tags to a feature, creates missing tags, then removes tags. Logs every sent tag. */
function changeTagsOfFeature(context: OperationContext, featureName: string, change: TagChange): StoredFeature {
  const feature = findFeature(context.tables, featureName)
  const { added: sent = [], removed = [] } = change
  const added = createMissing(context, sent)
  const tags = changeTags(feature.tags, { added, removed: new Set() })
  const tagged = saveFeature(context, { ...feature, tags }, taggings(sent), { asGroup: false })
  const before = inTagOrder(tags).map((tag) => presentTagOfFeature(tag, context.tables))
  const left = changeTags(tags, { added: [], removed: new Set(removed.map(tagKey)) })
  const untagged = removals(removed).map((event) => ({ ...event, tags: before }))
  return saveFeature(context, { ...tagged, tags: left }, untagged, { asGroup: false })
}

/** The distinct tags. Creates missing tags. */
function createMissing(context: OperationContext, sent: readonly Frozen<Tag>[]): Frozen<Tag>[] {
  const { tables } = context
  reject(checkTagTypes(tables, sent))
  const tags = distinctTags(sent.map(({ type, value }) => ({ type, value })))
  for (const tag of tags) if (!hasTag(tables, tag)) insertTag(context, tag)
  return tags
}

function taggings(added: readonly Frozen<Tag>[]): FeatureEvent[] {
  return added.map(({ type, value }) => ({ type: 'feature-tagged', data: { type, value } }))
}

function removals(removed: readonly Frozen<Tag>[]): FeatureEvent[] {
  return removed.map(({ type, value }) => ({ type: 'feature-untagged', data: null, preData: { type, value } }))
}

/** The maximum changed tags of a call: the number of features times the number of tags. */
export const CHANGED_TAGS = 10_000

export const featureTagOperations = operations('Tags', {
  listTags: get('/api/admin/features/:featureName/tags', {
    summary: 'List the tags of a feature',
    success: ok('All tags', featureTagsSchema),
    run: ({ params, tables }) => ({ body: presentTags(findFeature(tables, params.featureName).tags, tables) }),
  }),

  addTag: post('/api/admin/features/:featureName/tags', {
    summary: 'Add a tag to a feature; creates the tag if necessary',
    permission: 'UPDATE_FEATURE',
    body: sentTagOfFeatureSchema,
    success: created('The tag', tagSchema, "The path of the feature's tags"),
    run: ({ params, body: { type, value }, context }) => {
      changeTagsOfFeature(context, params.featureName, { added: [{ type, value }] })
      return { headers: { location: `${params.featureName}/tags` }, body: { type, value } }
    },
  }),

  updateTags: put('/api/admin/features/:featureName/tags', {
    summary: 'Add and remove tags of a feature',
    permission: 'UPDATE_FEATURE',
    body: updateTagsSchema,
    success: ok('All tags of the feature', featureTagsSchema),
    run: ({ params, body, context }) => {
      const { addedTags: added, removedTags: removed } = body
      const { tags } = changeTagsOfFeature(context, params.featureName, { added, removed })
      return { body: presentTags(tags, context.tables) }
    },
  }),

  removeTag: del('/api/admin/features/:featureName/tags/:type/:value', {
    summary: 'Remove a tag from a feature',
    permission: 'UPDATE_FEATURE',
    success: { status: 200, description: 'The feature does not have the tag' },
    run: ({ params: { featureName, type, value }, context }) => {
      changeTagsOfFeature(context, featureName, { removed: [{ type, value }] })
    },
  }),

  addTagToFeatures: put('/api/admin/projects/:projectId/tags', {
    summary: 'Add and remove tags of several features; unknown names can only lose tags',
    permission: 'UPDATE_FEATURE',
    body: namedStrict('tagsBulkAddSchema', () => ({
      features: z.array(z.string().min(1, 'must not be empty')),
      tags: updateTagsSchema,
    })),
    success: { status: 200, description: 'The tags are changed' },
    run: ({ params: { projectId }, body: { features, tags }, context }) => {
      const changes = features.length * (tags.addedTags.length + tags.removedTags.length)
      if (changes > CHANGED_TAGS) {
        const message = `The request would change ${changes} tags; at most ${CHANGED_TAGS} are allowed. Send fewer features or tags.`
        reject(badData(message, '/body/features'))
      }
      const strange = features.find((name) => (context.tables.features.get(name)?.project ?? projectId) !== projectId)
      if (strange !== undefined) {
        reject(badData(`The feature "${strange}" is not in the project "${projectId}".`, '/body/features'))
      }
      const added = createMissing(context, tags.addedTags)
      const unknown = added.length > 0 ? features.find((name) => !context.tables.features.has(name)) : undefined
      if (unknown !== undefined) reject(notFound(`There is no feature named "${unknown}".`))
      const removed = new Set(tags.removedTags.map(tagKey))
      const found = [...new Set(features)].flatMap((name) => context.tables.features.get(name) ?? []).toSorted(byName)
      const changed = found.map((one) => ({ ...one, tags: changeTags(one.tags, { added, removed }) }))
      for (const events of [taggings(tags.addedTags), removals(tags.removedTags)]) {
        for (const feature of changed) saveFeature(context, feature, events, { asGroup: false })
      }
    },
  }),
})

function presentTags(tags: readonly Frozen<Tag>[], tables: Tables) {
  return { version: 1, tags: inTagOrder(tags).map((tag) => presentTagOfFeature(tag, tables)) }
}
