import type { Failure } from '../../../contract/errors.js'
import { fail, ok } from '../../../support/result.js'
import type { OperationContext } from '../../shared/context.js'
import { defineOperation } from '../../shared/operation.js'
import { findAllInProject, findFeature, findInProject } from '../features/lookup.js'
import { batchFeaturesSchema, validateArchiveFeaturesSchema } from '../features/schema.js'
import { activeChildren, archive, checkNoChildrenStay, remove, revive } from './actions.js'

const tag = 'Archive'

const archiveFeature = defineOperation({
  id: 'archiveFeature',
  method: 'DELETE',
  path: '/api/admin/projects/:projectId/features/:featureName',
  summary: 'Archive a feature; its name stays taken',
  tag,
  access: 'admin',
  permission: 'DELETE_FEATURE',
  success: { status: 202, description: 'The feature is archived' },
  errors: [404],
  run: ({ params, context }) => {
    const found = findInProject(context.tables, params.featureName, params.projectId)
    if (!found.ok) return found
    const refusal = checkNoChildrenStay(context.tables, [params.featureName])
    if (refusal) return fail(refusal)
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
  access: 'admin',
  permission: 'DELETE_FEATURE',
  body: batchFeaturesSchema,
  success: { status: 202, description: 'The features are archived' },
  errors: [404],
  run: ({ params, body, context }) => {
    const found = findAllInProject(context.tables, body.features, params.projectId)
    if (!found.ok) return found
    const refusal = checkNoChildrenStay(context.tables, body.features)
    if (refusal) return fail(refusal)
    for (const feature of found.value) if (!feature.archived) archive(context, feature)
    return ok({})
  },
})

const validateArchiveFeatures = defineOperation({
  id: 'validateArchiveFeatures',
  method: 'POST',
  path: '/api/admin/projects/:projectId/archive/validate',
  summary: 'What stands in the way of archiving several features',
  tag,
  access: 'admin',
  permission: 'DELETE_FEATURE',
  body: batchFeaturesSchema,
  success: { status: 200, description: 'What does', schema: validateArchiveFeaturesSchema },
  errors: [],
  run: ({ body: { features }, context: { tables } }) =>
    ok({
      body: {
        parentsWithChildFeatures: features.filter((name) => activeChildren(tables, name, features).length > 0),
        hasDeletedDependencies: features.some((name) => (tables.features.get(name)?.dependencies.length ?? 0) > 0),
      },
    }),
})

const reviveFeature = defineOperation({
  id: 'reviveFeature',
  method: 'POST',
  path: '/api/admin/archive/revive/:featureName',
  summary: 'Bring an archived feature back, off everywhere',
  tag,
  access: 'admin',
  permission: 'UPDATE_FEATURE',
  success: { status: 200, description: 'The feature is active' },
  errors: [404],
  run: ({ params, context }) => {
    const found = findFeature(context.tables, params.featureName)
    if (!found.ok) return found
    const refusal = revive(context, found.value)
    return refusal ? fail(refusal) : ok({})
  },
})

const reviveFeatures = defineOperation({
  id: 'reviveFeatures',
  method: 'POST',
  path: '/api/admin/projects/:projectId/revive',
  summary: 'Bring several archived features back',
  tag,
  access: 'admin',
  permission: 'UPDATE_FEATURE',
  body: batchFeaturesSchema,
  success: { status: 200, description: 'The features are active' },
  errors: [404],
  run: ({ params, body, context }) => forEach(context, body.features, params.projectId, revive),
})

const deleteFeature = defineOperation({
  id: 'deleteFeature',
  method: 'DELETE',
  path: '/api/admin/archive/:featureName',
  summary: 'Delete an archived feature for good; an active one is left as it is',
  tag,
  access: 'admin',
  permission: 'DELETE_FEATURE',
  success: { status: 200, description: 'There is no archived feature of this name' },
  errors: [404],
  run: ({ params, context }) => {
    const found = findFeature(context.tables, params.featureName)
    if (!found.ok) return found
    remove(context, found.value)
    return ok({})
  },
})

const deleteFeatures = defineOperation({
  id: 'deleteFeatures',
  method: 'POST',
  path: '/api/admin/projects/:projectId/delete',
  summary: 'Delete several archived features for good',
  tag,
  access: 'admin',
  permission: 'DELETE_FEATURE',
  body: batchFeaturesSchema,
  success: { status: 200, description: 'The features are gone' },
  errors: [404],
  run: ({ params, body, context }) => forEach(context, body.features, params.projectId, remove),
})

/** Does something with several features of a project, or with none of them. */
function forEach(
  context: OperationContext,
  names: readonly string[],
  project: string,
  act: (context: OperationContext, feature: Parameters<typeof revive>[1]) => Failure | undefined,
) {
  const found = findAllInProject(context.tables, names, project)
  if (!found.ok) return found
  for (const feature of found.value) {
    const refusal = act(context, feature)
    if (refusal) return fail(refusal)
  }
  return ok({})
}

export const archiveOperations = [
  archiveFeature,
  archiveFeatures,
  validateArchiveFeatures,
  reviveFeature,
  reviveFeatures,
  deleteFeature,
  deleteFeatures,
] as const
