import { fail, ok } from '../../../support/result.js'
import { patchDocument, patchesSchema } from '../../shared/json-patch.js'
import { defineOperation } from '../../shared/operation.js'
import { toInstant } from '../../shared/schema.js'
import { schemaForTypes } from '../feature-types/lookup.js'
import { saveFeature } from '../features/actions.js'
import { findAllInProject, findInProject } from '../features/lookup.js'
import { changedFeatureView, summarizeFeature } from '../features/present.js'
import { updateFeatureRecord } from '../features/rules.js'
import { metadataUpdated, setStale, staleEvents } from './actions.js'
import { checkNameStays, checkNoVariants } from './checks.js'
import { batchStaleSchema, updateFeatureSchema, updateFeatureSchemaWith } from './schema.js'

const tag = 'Features'

const updateFeature = defineOperation({
  id: 'updateFeature',
  method: 'PUT',
  path: '/api/admin/projects/:projectId/features/:featureName',
  summary: 'Replace the metadata of a feature; omitted fields return to their defaults',
  tag,
  permission: 'UPDATE_FEATURE',
  body: updateFeatureSchema,
  bodyFor: (tables) => schemaForTypes(tables, updateFeatureSchema, updateFeatureSchemaWith),
  success: { status: 200, description: 'The feature', view: changedFeatureView },
  errors: [404],
  run: ({ params, body, context }) => {
    const renamed = checkNameStays(params.featureName, body.name)
    if (renamed) return fail(renamed)
    const found = findInProject(context.tables, params.featureName, params.projectId)
    if (!found.ok) return found
    const changed = updateFeatureRecord(found.value, body, toInstant(context.now))
    const saved = saveFeature(context, changed, [metadataUpdated(found.value, changed)])
    return ok({ body: saved })
  },
})

const patchFeature = defineOperation({
  id: 'patchFeature',
  method: 'PATCH',
  path: '/api/admin/projects/:projectId/features/:featureName',
  summary: 'Change the metadata of a feature with a JSON Patch',
  tag,
  permission: 'UPDATE_FEATURE',
  body: patchesSchema,
  success: { status: 200, description: 'The feature', view: changedFeatureView },
  errors: [404],
  run: ({ params, body, context }) => {
    const found = findInProject(context.tables, params.featureName, params.projectId)
    if (!found.ok) return found
    const denied = checkNoVariants(body)
    if (denied) return fail(denied)
    const shape = schemaForTypes(context.tables, updateFeatureSchema, updateFeatureSchemaWith)
    const patched = patchDocument(summarizeFeature(found.value), body, shape)
    if (!patched.ok) return patched
    const changed = updateFeatureRecord(found.value, patched.value, toInstant(context.now))
    const events = [metadataUpdated(found.value, changed), ...staleEvents(found.value, changed)]
    const saved = saveFeature(context, changed, events)
    return ok({ body: saved })
  },
})

const staleFeatures = defineOperation({
  id: 'staleFeatures',
  method: 'POST',
  path: '/api/admin/projects/:projectId/stale',
  summary: 'Mark several features as stale or active',
  tag,
  permission: 'UPDATE_FEATURE',
  body: batchStaleSchema,
  success: { status: 202, description: 'The features are marked' },
  errors: [404],
  run: ({ params, body: { features, stale }, context, profile }) => {
    const found = findAllInProject(context.tables, features, params.projectId, profile)
    if (!found.ok) return found
    for (const feature of found.value) setStale(context, feature, stale)
    return ok({})
  },
})

export const editingOperations = [updateFeature, patchFeature, staleFeatures] as const
