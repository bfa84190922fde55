import { badData, type Failure } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, ok } from '../../../support/result.js'
import type { OperationContext } from '../../shared/context.js'
import { patchDocument, patchesSchema } from '../../shared/json-patch.js'
import { defineOperation } from '../../shared/operation.js'
import { type FeatureEvent, saveFeature } from '../features/actions.js'
import { featureAnswerSchemas, presentChanged } from '../features/answers.js'
import { findAllInProject, findInProject } from '../features/lookup.js'
import { summarizeFeature } from '../features/present.js'
import { updateFeatureRecord } from '../features/rules.js'
import { batchStaleSchema, type FeatureRecord, updateFeatureSchema } from '../features/schema.js'

const tag = 'Features'

const updateFeature = defineOperation({
  id: 'updateFeature',
  method: 'PUT',
  path: '/api/admin/projects/:projectId/features/:featureName',
  summary: 'Describe a feature anew; what is left out is set back',
  tag,
  access: 'admin',
  permission: 'UPDATE_FEATURE',
  body: updateFeatureSchema,
  success: { status: 200, description: 'The feature', schema: featureAnswerSchemas },
  errors: [404],
  run: ({ params, body, context, profile }) => {
    const renamed = checkNameStays(params.featureName, body.name)
    if (renamed) return fail(renamed)
    const found = findInProject(context.tables, params.featureName, params.projectId)
    if (!found.ok) return found
    const changed = updateFeatureRecord(found.value, body, context.now.toISOString())
    const saved = saveFeature(context, changed, [metadataUpdated(found.value, changed)])
    return ok({ body: presentChanged[profile.shapes](saved, context.tables, context.caller.id) })
  },
})

const patchFeature = defineOperation({
  id: 'patchFeature',
  method: 'PATCH',
  path: '/api/admin/projects/:projectId/features/:featureName',
  summary: 'Change the description of a feature by a JSON Patch',
  tag,
  access: 'admin',
  permission: 'UPDATE_FEATURE',
  body: patchesSchema,
  success: { status: 200, description: 'The feature', schema: featureAnswerSchemas },
  errors: [404],
  run: ({ params, body, context, profile }) => {
    const found = findInProject(context.tables, params.featureName, params.projectId)
    if (!found.ok) return found
    const patched = patchDocument(summarizeFeature(found.value), body, updateFeatureSchema)
    if (!patched.ok) return patched
    const changed = updateFeatureRecord(found.value, patched.value, context.now.toISOString())
    const events = [metadataUpdated(found.value, changed), ...staleEvents(found.value, changed)]
    const saved = saveFeature(context, changed, events)
    return ok({ body: presentChanged[profile.shapes](saved, context.tables, context.caller.id) })
  },
})

const staleFeatures = defineOperation({
  id: 'staleFeatures',
  method: 'POST',
  path: '/api/admin/projects/:projectId/stale',
  summary: 'Say of several features that they are stale, or that they are not',
  tag,
  access: 'admin',
  permission: 'UPDATE_FEATURE',
  body: batchStaleSchema,
  success: { status: 202, description: 'The features are marked' },
  errors: [404],
  run: ({ params, body: { features, stale }, context }) => {
    const found = findAllInProject(context.tables, features, params.projectId)
    if (!found.ok) return found
    for (const feature of found.value) setStale(context, feature, stale)
    return ok({})
  },
})

function setStale(context: OperationContext, feature: Frozen<FeatureRecord>, stale: boolean): void {
  const changed = { ...feature, stale }
  saveFeature(context, changed, staleEvents(feature, changed))
}

function checkNameStays(name: string, asked = name): Failure | undefined {
  return asked === name ? undefined : badData(`The feature "${name}" keeps its name.`, '/body/name')
}

function metadataUpdated(before: Frozen<FeatureRecord>, after: Frozen<FeatureRecord>): FeatureEvent {
  return { type: 'feature-metadata-updated', data: summarizeFeature(after), preData: summarizeFeature(before) }
}

function staleEvents(before: Frozen<FeatureRecord>, after: Frozen<FeatureRecord>): FeatureEvent[] {
  if (before.stale === after.stale) return []
  return [{ type: after.stale ? 'feature-stale-on' : 'feature-stale-off', data: null }]
}

export const featureChangeOperations = [updateFeature, patchFeature, staleFeatures] as const
