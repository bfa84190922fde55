import { ok } from '../../../support/result.js'
import { defineOperation } from '../../shared/operation.js'
import { saveFeature } from '../features/actions.js'
import { findFeatureInProject } from '../features/lookup.js'
import { countStages, enterStage, leaveStage } from './rules.js'
import { featureLifecycleCompletedSchema, featureLifecycleCountSchema, featureLifecycleSchema } from './schema.js'

const tag = 'Lifecycle'

const getFeatureLifecycle = defineOperation({
  id: 'getFeatureLifecycle',
  method: 'GET',
  path: '/api/admin/projects/:projectId/features/:featureName/lifecycle',
  summary: 'The stages of the life of a feature, the first one first; none for an unknown name',
  tag,
  access: 'admin',
  success: { status: 200, description: 'The stages', schema: featureLifecycleSchema },
  errors: [404],
  run: ({ params, context }) => {
    const found = findFeatureInProject(context.tables, params.featureName, params.projectId)
    return ok({ body: found.ok ? [...found.value.pastStages, found.value.lifecycle] : [] })
  },
})

const complete = defineOperation({
  id: 'complete',
  method: 'POST',
  path: '/api/admin/projects/:projectId/features/:featureName/lifecycle/complete',
  summary: 'Say that a feature is completed, and whether it is kept',
  tag,
  access: 'admin',
  permission: 'UPDATE_FEATURE',
  body: featureLifecycleCompletedSchema,
  success: { status: 200, description: 'The feature is completed' },
  errors: [404],
  run: ({ params, body, context }) => {
    const found = findFeatureInProject(context.tables, params.featureName, params.projectId)
    if (!found.ok) return found
    const feature = found.value.lifecycle.stage === 'completed' ? leave(found.value) : found.value
    const stage = { stage: 'completed', status: body.status, enteredStageAt: context.now.toISOString() } as const
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
  summary: 'Say that a feature is not completed after all',
  tag,
  access: 'admin',
  permission: 'UPDATE_FEATURE',
  success: { status: 200, description: 'The feature is at the stage before' },
  errors: [404],
  run: ({ params, context }) => {
    const found = findFeatureInProject(context.tables, params.featureName, params.projectId)
    if (!found.ok) return found
    const feature = found.value.lifecycle.stage === 'completed' ? leave(found.value) : found.value
    saveFeature(context, feature, [{ type: 'feature-uncompleted', data: null }])
    return ok({})
  },
})

function leave<Feature extends Parameters<typeof leaveStage>[0]>(feature: Feature) {
  return { ...feature, ...leaveStage(feature) }
}

const getFeatureLifecycleStageCount = defineOperation({
  id: 'getFeatureLifecycleStageCount',
  method: 'GET',
  path: '/api/admin/lifecycle/count',
  summary: 'How many features are at each stage of life',
  tag,
  access: 'admin',
  success: { status: 200, description: 'The numbers', schema: featureLifecycleCountSchema },
  errors: [],
  run: ({ context: { tables } }) => ok({ body: countStages(tables.features.list()) }),
})

export const lifecycleOperations = [getFeatureLifecycle, complete, uncomplete, getFeatureLifecycleStageCount] as const
