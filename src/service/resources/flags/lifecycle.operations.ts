import * as z from 'zod'
import { get, ok, operations, post } from '../shared/rows.js'
import { namedStrict, toInstant } from '../shared/schema.js'
import { featurePath, findInProject, saveFeature } from './features.model.js'
import {
  countStages,
  enterStage,
  featureLifecycleCountSchema,
  leaveCompleted,
  lifecycleSchema,
  stagesOf,
} from './lifecycle.js'

export const lifecycleOperations = operations('Lifecycle', {
  getFeatureLifecycle: get(`${featurePath}/lifecycle`, {
    summary: 'List the lifecycle stages of a feature, oldest first; empty for an unknown name',
    success: ok('The stages', z.array(lifecycleSchema).meta({ id: 'featureLifecycleSchema' })),
    run: ({ params, context }) => {
      const feature = context.tables.features.get(params.featureName)
      return { body: feature === undefined ? [] : stagesOf(feature) }
    },
  }),

  complete: post(`${featurePath}/lifecycle/complete`, {
    summary: 'Mark a feature as completed, kept or discarded',
    permission: 'UPDATE_FEATURE',
    body: namedStrict('featureLifecycleCompletedSchema', () => ({
      status: z.enum(['kept', 'discarded']),
      statusValue: z.string().optional(),
    })),
    success: { status: 200, description: 'The feature is completed' },
    run: ({ params, body, context }) => {
      const stage = { stage: 'completed', status: body.status, enteredStageAt: toInstant(context.now) } as const
      const event = { type: 'feature-completed', data: { ...body, kept: body.status === 'kept' } }
      const feature = findInProject(context.tables, params)
      saveFeature(context, { ...feature, ...enterStage(feature, stage) }, [event])
    },
  }),

  uncomplete: post(`${featurePath}/lifecycle/uncomplete`, {
    summary: 'Mark a feature as not completed',
    permission: 'UPDATE_FEATURE',
    success: { status: 200, description: 'The feature is back at its previous stage' },
    run: ({ params, context }) => {
      const feature = findInProject(context.tables, params)
      saveFeature(context, leaveCompleted(feature), [{ type: 'feature-uncompleted', data: null }])
    },
  }),

  getFeatureLifecycleStageCount: get('/api/admin/lifecycle/count', {
    summary: 'Count the features at each lifecycle stage',
    success: ok('The counts', featureLifecycleCountSchema),
    run: ({ tables: { features } }) => ({
      body: features.cache.answer('stages', [], () => countStages(features.list())),
    }),
  }),
})
