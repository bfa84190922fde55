import * as z from 'zod'
import { logEvent } from '../instance/events.operations.js'
import type { OperationContext } from '../shared/context.js'
import { get, ok, operations, post } from '../shared/rows.js'
import { namedStrict, toInstant } from '../shared/schema.js'
import type { StoredFeature } from './features.js'
import { type FeatureEvent, type FeatureParams, featurePath, saveFeature } from './features.model.js'
import {
  countStages,
  enterStage,
  featureLifecycleCountSchema,
  leaveCompleted,
  lifecycleSchema,
  stagesOf,
} from './lifecycle.js'

/** Changes the stage of a feature, and logs the event. As in Unleash, the event is logged for any name and project. */
function changeStage(
  context: OperationContext,
  { featureName: name, projectId: project }: FeatureParams,
  event: FeatureEvent,
  change: (feature: StoredFeature) => StoredFeature,
): undefined {
  const feature = context.tables.features.get(name)
  if (feature !== undefined) saveFeature(context, change(feature), [{ ...event, project }])
  else logEvent(context, { ...event, groupId: context.ids.ulid(context.now.getTime()) }, { name, project, tags: [] })
}

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
    errors: [],
    run: ({ params, body, context }) => {
      const stage = { stage: 'completed', status: body.status, enteredStageAt: toInstant(context.now) } as const
      const event = { type: 'feature-completed', data: { ...body, kept: body.status === 'kept' } }
      changeStage(context, params, event, (feature) => ({ ...feature, ...enterStage(feature, stage) }))
    },
  }),

  uncomplete: post(`${featurePath}/lifecycle/uncomplete`, {
    summary: 'Mark a feature as not completed',
    permission: 'UPDATE_FEATURE',
    success: { status: 200, description: 'The feature is back at its previous stage' },
    errors: [],
    run: ({ params, context }) => {
      changeStage(context, params, { type: 'feature-uncompleted', data: null }, leaveCompleted)
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
