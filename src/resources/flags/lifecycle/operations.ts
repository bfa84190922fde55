import { ok } from '../../../support/result.js'
import { defineOperation } from '../../shared/operation.js'
import { toInstant } from '../../shared/schema.js'
import { saveFeature } from '../features/actions.js'
import { findActiveInProject } from '../features/lookup.js'
import { countStages, enterStage, leaveCompleted } from './rules.js'
import { featureLifecycleCompletedSchema, featureLifecycleCountSchema, featureLifecycleSchema } from './schema.js'

const tag = 'Lifecycle'

const getFeatureLifecycle = defineOperation({
  id: 'getFeatureLifecycle',
  method: 'GET',
  path: '/api/admin/projects/:projectId/features/:featureName/lifecycle',
  summary: 'List the lifecycle stages of a feature, oldest first; empty for an unknown name',
  tag,
  success: { status: 200, description: 'The stages', schema: featureLifecycleSchema },
  errors: [404],
  run: ({ params, context }) => {
    const feature = context.tables.features.get(params.featureName)
    return ok({ body: feature === undefined ? [] : [...feature.pastStages, feature.lifecycle] })
  },
})

const complete = defineOperation({
  id: 'complete',
  method: 'POST',
  path: '/api/admin/projects/:projectId/features/:featureName/lifecycle/complete',
  summary: 'Mark a feature as completed, kept or discarded',
  tag,
  permission: 'UPDATE_FEATURE',
  body: featureLifecycleCompletedSchema,
  success: { status: 200, description: 'The feature is completed' },
  errors: [404],
  run: ({ params, body, context }) => {
    const found = findActiveInProject(context.tables, params.featureName, params.projectId)
    if (!found.ok) return found
    const feature = leaveCompleted(found.value)
    const stage = { stage: 'completed', status: body.status, enteredStageAt: toInstant(context.now) } as const
    saveFeature(context, { ...feature, ...enterStage(feature, stage) }, [
      { type: 'feature-completed', data: { ...body, kept: body.status === 'kept' } },
    ])
    return ok({})
  },
})

const uncomplete = defineOperation({
  id: 'uncomplete',
  method: 'POST',
  path: '/api/admin/projects/:projectId/features/:featureName/lifecycle/uncomplete',
  summary: 'Mark a feature as not completed',
  tag,
  permission: 'UPDATE_FEATURE',
  success: { status: 200, description: 'The feature is back at its previous stage' },
  errors: [404],
  run: ({ params, context }) => {
    const found = findActiveInProject(context.tables, params.featureName, params.projectId)
    if (!found.ok) return found
    const feature = leaveCompleted(found.value)
    saveFeature(context, feature, [{ type: 'feature-uncompleted', data: null }])
    return ok({})
  },
})

const getFeatureLifecycleStageCount = defineOperation({
  id: 'getFeatureLifecycleStageCount',
  method: 'GET',
  path: '/api/admin/lifecycle/count',
  summary: 'Count the features at each lifecycle stage',
  tag,
  success: { status: 200, description: 'The counts', schema: featureLifecycleCountSchema },
  run: ({ context: { tables } }) => ok({ body: countStages(tables.features.list()) }),
})

export const lifecycleOperations = [getFeatureLifecycle, complete, uncomplete, getFeatureLifecycleStageCount] as const
