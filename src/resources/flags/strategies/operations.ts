import { fail, ok, okUnless } from '../../../support/result.js'
import { patchDocument, patchesSchema } from '../../shared/json-patch.js'
import { defineOperation } from '../../shared/operation.js'
import { findFeatureEnvironment } from '../feature-environments/lookup.js'
import { strategiesIn, withStrategies } from '../feature-environments/rules.js'
import { saveFeature } from '../features/actions.js'
import { findInProject } from '../features/lookup.js'
import { changeStrategy, removeStrategy, reorderStrategies } from './actions.js'
import { checkEnvironment, checkRoom, checkStrategiesExist, checkStrategy, unknownStrategy } from './checks.js'
import { findStrategy } from './lookup.js'
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
  summary: 'List the strategies of a feature in an environment, in their order',
  tag,
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
  summary: 'Get a strategy of a feature',
  tag,
  success: { status: 200, description: 'The strategy', schema: answeredStrategySchema },
  errors: [404],
  run: ({ params, context }) => {
    const found = findStrategy(context.tables, params)
    if (found.ok) return ok({ body: found.value.strategy })
    return fail(unknownStrategy(params.featureName, params.strategyId, params.environment))
  },
})

const addFeatureStrategy = defineOperation({
  id: 'addFeatureStrategy',
  method: 'POST',
  path: '/api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies',
  summary: 'Add a strategy to a feature in an environment',
  tag,
  permission: 'CREATE_FEATURE_STRATEGY',
  body: createFeatureStrategySchema,
  success: { status: 200, description: 'The strategy', schema: answeredStrategySchema },
  errors: [404],
  run: ({ params, body, context }) => {
    const found = findInProject(context.tables, params.featureName, params.projectId)
    if (!found.ok) return found
    const { environment } = params
    const existing = strategiesIn(found.value, environment)
    const { segments = [], constraints = [], variants = [] } = body
    const failure =
      checkRoom(existing) ??
      checkStrategy(context.tables, { name: body.name, segments, constraints, variants }, found.value.project) ??
      checkEnvironment(context.tables, environment)
    if (failure) return fail(failure)

    const id = context.ids.ulid(context.now.getTime())
    const sortOrder = nextSortOrder(existing)
    const strategy = makeStrategy(body, { id, name: body.name, sortOrder }, found.value.name)
    saveFeature(context, withStrategies(found.value, environment, inOrder([...existing, strategy])), [
      { type: 'feature-strategy-add', data: strategy, environment },
    ])
    return ok({ body: strategy })
  },
})

const updateFeatureStrategy = defineOperation({
  id: 'updateFeatureStrategy',
  method: 'PUT',
  path: '/api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/:strategyId',
  summary: 'Update a strategy; omitted fields stay as they are',
  tag,
  permission: 'UPDATE_FEATURE_STRATEGY',
  body: updateFeatureStrategySchema,
  success: { status: 200, description: 'The strategy', schema: answeredStrategySchema },
  errors: [404],
  run: ({ params, body, context, profile }) => {
    const omitted = profile.features.putEmptiesStrategies
      ? () => ({ parameters: {}, constraints: [], variants: [] })
      : nameOf
    const changed = changeStrategy(context, params, (before) => ok({ ...omitted(before), ...body }))
    return changed.ok ? ok({ body: changed.value }) : changed
  },
})

function nameOf({ name }: { name: string }) {
  return { name }
}

const patchFeatureStrategy = defineOperation({
  id: 'patchFeatureStrategy',
  method: 'PATCH',
  path: '/api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/:strategyId',
  summary: 'Change a strategy with a JSON Patch',
  tag,
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
  summary: 'Delete a strategy of a feature',
  tag,
  permission: 'DELETE_FEATURE_STRATEGY',
  success: { status: 200, description: 'The strategy is deleted' },
  errors: [404],
  run: ({ params, context }) => okUnless(removeStrategy(context, params)),
})

const setStrategySortOrder = defineOperation({
  id: 'setStrategySortOrder',
  method: 'POST',
  path: '/api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/set-sort-order',
  summary: 'Reorder the strategies of a feature',
  tag,
  permission: 'UPDATE_FEATURE_STRATEGY',
  body: setStrategySortOrderSchema,
  success: { status: 200, description: 'The strategies are reordered' },
  errors: [404],
  run: ({ params, body, context }) => {
    const found = findFeatureEnvironment(context.tables, params)
    if (!found.ok) return found
    const failure = checkStrategiesExist(found.value, body)
    if (failure) return fail(failure)
    reorderStrategies(context, found.value, body)
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
