import { notFound } from '../../../contract/errors.js'
import { fail, ok } from '../../../support/result.js'
import { patchDocument, patchesSchema } from '../../shared/json-patch.js'
import { defineOperation } from '../../shared/operation.js'
import { findFeatureEnvironment } from '../feature-environments/lookup.js'
import { replaceEnvironment } from '../feature-environments/rules.js'
import { saveFeature } from '../features/actions.js'
import { changeStrategy, findStrategy } from './actions.js'
import { checkEnvironment, checkRoom, checkStrategy } from './checks.js'
import { inOrder, makeStrategy, nextSortOrder } from './rules.js'
import {
  answeredStrategySchema,
  createFeatureStrategySchema,
  listedStrategiesSchema,
  setStrategySortOrderSchema,
  updateFeatureStrategySchema,
} from './schema.js'

const tag = 'Strategies'

const getFeatureStrategies = defineOperation({
  id: 'getFeatureStrategies',
  method: 'GET',
  path: '/api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies',
  summary: 'The strategies of a feature in an environment, in their order',
  tag,
  access: 'admin',
  success: { status: 200, description: 'The strategies', schema: listedStrategiesSchema },
  errors: [404],
  run: ({ params, context }) => {
    const found = findFeatureEnvironment(context.tables, params)
    if (!found.ok) return found
    return ok({ body: found.value.environment.strategies.map((strategy) => ({ ...strategy, milestoneId: null })) })
  },
})

const getFeatureStrategy = defineOperation({
  id: 'getFeatureStrategy',
  method: 'GET',
  path: '/api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/:strategyId',
  summary: 'One strategy of a feature',
  tag,
  access: 'admin',
  success: { status: 200, description: 'The strategy', schema: answeredStrategySchema },
  errors: [404],
  run: ({ params, context }) => {
    const found = findStrategy(context.tables, params)
    return found.ok ? ok({ body: found.value.strategy }) : found
  },
})

const addFeatureStrategy = defineOperation({
  id: 'addFeatureStrategy',
  method: 'POST',
  path: '/api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies',
  summary: 'Add a strategy to a feature in an environment',
  tag,
  access: 'admin',
  permission: 'CREATE_FEATURE_STRATEGY',
  body: createFeatureStrategySchema,
  success: { status: 200, description: 'The strategy', schema: answeredStrategySchema },
  errors: [404],
  run: ({ params, body, context }) => {
    const nowhere = checkEnvironment(context.tables, params)
    if (nowhere) return fail(nowhere)
    const found = findFeatureEnvironment(context.tables, params)
    if (!found.ok) return found
    const { feature, environment } = found.value
    const { segments = [], constraints = [], variants = [] } = body
    const refusal =
      checkRoom(environment.strategies) ??
      checkStrategy(context.tables, { name: body.name, segments, constraints, variants }, feature.project)
    if (refusal) return fail(refusal)

    const id = context.ids.ulid(context.now.getTime())
    const sortOrder = nextSortOrder(environment.strategies)
    const strategy = makeStrategy(body, { id, name: body.name, sortOrder }, feature.name)
    const strategies = inOrder([...environment.strategies, strategy])
    saveFeature(context, replaceEnvironment(feature, { ...environment, strategies }), [
      { type: 'feature-strategy-add', data: strategy, environment: environment.name },
    ])
    return ok({ body: strategy })
  },
})

const updateFeatureStrategy = defineOperation({
  id: 'updateFeatureStrategy',
  method: 'PUT',
  path: '/api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/:strategyId',
  summary: 'Change a strategy; what is left out stays',
  tag,
  access: 'admin',
  permission: 'UPDATE_FEATURE_STRATEGY',
  body: updateFeatureStrategySchema,
  success: { status: 200, description: 'The strategy', schema: answeredStrategySchema },
  errors: [404],
  run: ({ params, body, context }) => {
    const changed = changeStrategy(context, params, () => ok(body))
    return changed.ok ? ok({ body: changed.value }) : changed
  },
})

const patchFeatureStrategy = defineOperation({
  id: 'patchFeatureStrategy',
  method: 'PATCH',
  path: '/api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/:strategyId',
  summary: 'Change a strategy by a JSON Patch',
  tag,
  access: 'admin',
  permission: 'UPDATE_FEATURE_STRATEGY',
  body: patchesSchema,
  success: { status: 200, description: 'The strategy', schema: answeredStrategySchema },
  errors: [404],
  run: ({ params, body, context }) => {
    const patch = (before: unknown) => patchDocument(before, body, updateFeatureStrategySchema)
    const changed = changeStrategy(context, params, patch)
    return changed.ok ? ok({ body: changed.value }) : changed
  },
})

const deleteFeatureStrategy = defineOperation({
  id: 'deleteFeatureStrategy',
  method: 'DELETE',
  path: '/api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/:strategyId',
  summary: 'Take a strategy away from a feature',
  tag,
  access: 'admin',
  permission: 'DELETE_FEATURE_STRATEGY',
  success: { status: 200, description: 'The strategy is gone' },
  errors: [404],
  run: ({ params, context }) => {
    const found = findStrategy(context.tables, params)
    if (!found.ok) return found
    const { feature, environment, strategy } = found.value
    const strategies = environment.strategies.filter(({ id }) => id !== strategy.id)
    saveFeature(context, replaceEnvironment(feature, { ...environment, strategies }), [
      { type: 'feature-strategy-remove', data: null, preData: strategy, environment: environment.name },
    ])
    return ok({})
  },
})

const setStrategySortOrder = defineOperation({
  id: 'setStrategySortOrder',
  method: 'POST',
  path: '/api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/set-sort-order',
  summary: 'Put the strategies of a feature in another order',
  tag,
  access: 'admin',
  permission: 'UPDATE_FEATURE_STRATEGY',
  body: setStrategySortOrderSchema,
  success: { status: 200, description: 'The strategies are in that order' },
  errors: [404],
  run: ({ params, body, context }) => {
    const found = findFeatureEnvironment(context.tables, params)
    if (!found.ok) return found
    const { feature, environment } = found.value
    const stray = body.find(({ id }) => !environment.strategies.some((strategy) => strategy.id === id))
    if (stray) return fail(notFound(`The feature "${feature.name}" has no strategy "${stray.id}" there.`))

    const places = new Map(body.map(({ id, sortOrder }) => [id, sortOrder]))
    const strategies = inOrder(
      environment.strategies.map((one) => ({ ...one, sortOrder: places.get(one.id) ?? one.sortOrder })),
    )
    saveFeature(context, replaceEnvironment(feature, { ...environment, strategies }), [
      {
        type: 'strategy-order-changed',
        data: { strategyIds: strategies.map(({ id }) => id) },
        preData: { strategyIds: environment.strategies.map(({ id }) => id) },
        environment: environment.name,
      },
    ])
    return ok({})
  },
})

export const strategyOperations = [
  getFeatureStrategies,
  getFeatureStrategy,
  addFeatureStrategy,
  updateFeatureStrategy,
  patchFeatureStrategy,
  deleteFeatureStrategy,
  setStrategySortOrder,
] as const
