import { fail, ok, okUnless } from '../../../support/result.js'
import { defineOperation } from '../../shared/operation.js'
import { activeChildren } from '../dependencies/lookup.js'
import { forEachFeature } from '../features/actions.js'
import { findAllInProject, findFeature, findInProject } from '../features/lookup.js'
import { batchFeaturesSchema } from '../features/schema.js'
import { archive, remove, revive } from './actions.js'
import { checkNoChildrenStay } from './checks.js'
import { validateArchiveFeaturesSchema } from './schema.js'

const tag = 'Archive'

const archiveFeature = defineOperation({
  id: 'archiveFeature',
  method: 'DELETE',
  path: '/api/admin/projects/:projectId/features/:featureName',
  summary: 'Archive a feature; no other feature can take its name',
  tag,
  permission: 'DELETE_FEATURE',
  success: { status: 202, description: 'The feature is archived' },
  errors: [404],
  run: ({ params, context }) => {
    const found = findInProject(context.tables, params.featureName, params.projectId)
    if (!found.ok) return found
    const failure = checkNoChildrenStay(context.tables, [params.featureName])
    if (failure) return fail(failure)
    archive(context, found.value)
    return ok({})
  },
})

const archiveFeatures = defineOperation({
  id: 'archiveFeatures',
  method: 'POST',
  path: '/api/admin/projects/:projectId/archive',
  summary: 'Archive several features',
  tag,
  permission: 'DELETE_FEATURE',
  body: batchFeaturesSchema,
  success: { status: 202, description: 'The features are archived' },
  errors: [404],
  run: ({ params, body, context, profile }) => {
    const found = findAllInProject(context.tables, body.features, params.projectId, profile)
    if (!found.ok) return found
    const failure = checkNoChildrenStay(context.tables, body.features)
    if (failure) return fail(failure)
    for (const feature of found.value) if (!feature.archived) archive(context, feature)
    return ok({})
  },
})

const validateArchiveFeatures = defineOperation({
  id: 'validateArchiveFeatures',
  method: 'POST',
  path: '/api/admin/projects/:projectId/archive/validate',
  summary: 'Check what prevents several features from being archived',
  tag,
  permission: 'DELETE_FEATURE',
  body: batchFeaturesSchema,
  success: { status: 200, description: 'What prevents it', schema: validateArchiveFeaturesSchema },
  run: ({ body: { features }, context: { tables } }) =>
    ok({
      body: {
        parentsWithChildFeatures: features.filter((name) => activeChildren(tables, name, features).length > 0),
        hasDeletedDependencies: features.some(
          (name) =>
            (tables.features.get(name)?.dependencies.length ?? 0) > 0 || tables.features.count('parent', name) > 0,
        ),
      },
    }),
})

const reviveFeature = defineOperation({
  id: 'reviveFeature',
  method: 'POST',
  path: '/api/admin/archive/revive/:featureName',
  summary: 'Revive an archived feature, disabled everywhere',
  tag,
  permission: 'UPDATE_FEATURE',
  success: { status: 200, description: 'The feature is active' },
  errors: [404],
  run: ({ params, context }) => {
    const found = findFeature(context.tables, params.featureName)
    if (!found.ok) return found
    return okUnless(revive(context, found.value))
  },
})

const reviveFeatures = defineOperation({
  id: 'reviveFeatures',
  method: 'POST',
  path: '/api/admin/projects/:projectId/revive',
  summary: 'Revive several archived features',
  tag,
  permission: 'UPDATE_FEATURE',
  body: batchFeaturesSchema,
  success: { status: 200, description: 'The features are active' },
  errors: [404],
  run: ({ params, body, context, profile }) => {
    const found = findAllInProject(context.tables, body.features, params.projectId, profile)
    return found.ok ? forEachFeature(found.value, (feature) => revive(context, feature)) : found
  },
})

const deleteFeature = defineOperation({
  id: 'deleteFeature',
  method: 'DELETE',
  path: '/api/admin/archive/:featureName',
  summary: 'Delete an archived feature permanently; an active one is left unchanged',
  tag,
  permission: 'DELETE_FEATURE',
  success: { status: 200, description: 'No archived feature has this name' },
  errors: [404],
  run: ({ params, context }) => {
    const feature = context.tables.features.get(params.featureName)
    if (feature === undefined) return ok({})
    const failure = checkNoChildrenStay(context.tables, [feature.name])
    if (failure) return fail(failure)
    remove(context, feature)
    return ok({})
  },
})

const deleteFeatures = defineOperation({
  id: 'deleteFeatures',
  method: 'POST',
  path: '/api/admin/projects/:projectId/delete',
  summary: 'Delete several archived features permanently',
  tag,
  permission: 'DELETE_FEATURE',
  body: batchFeaturesSchema,
  success: { status: 200, description: 'The features are deleted' },
  errors: [404],
  run: ({ params, body, context, profile }) => {
    const found = findAllInProject(context.tables, body.features, params.projectId, profile)
    if (!found.ok) return found
    const failure = checkNoChildrenStay(context.tables, body.features)
    return failure ? fail(failure) : forEachFeature(found.value, (feature) => remove(context, feature))
  },
})

export const archiveOperations = [
  archiveFeature,
  archiveFeatures,
  validateArchiveFeatures,
  reviveFeature,
  reviveFeatures,
  deleteFeature,
  deleteFeatures,
] as const
