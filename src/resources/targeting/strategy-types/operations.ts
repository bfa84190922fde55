import { fail, ok, okUnless } from '../../../support/result.js'
import { logEvent } from '../../instance/events/actions.js'
import { nameTaken } from '../../shared/checks.js'
import { defineOperation } from '../../shared/operation.js'
import { setDeprecated } from './actions.js'
import { findEditable, findStrategyType } from './lookup.js'
import { createStrategyTypeRecord } from './rules.js'
import {
  createStrategySchema,
  strategyTypeName,
  strategyTypeSchema,
  strategyTypesSchema,
  updateStrategySchema,
} from './schema.js'

const tag = 'Strategy types'

const getAllStrategies = defineOperation({
  id: 'getAllStrategies',
  method: 'GET',
  path: '/api/admin/strategies',
  summary: 'List the strategy types: those built in, then others by name',
  tag,
  success: { status: 200, description: 'The types', schema: strategyTypesSchema },
  run: ({ context }) => {
    const types = context.tables.strategyTypes.list()
    const own = types.filter(({ editable }) => editable).toSorted((one, other) => one.name.localeCompare(other.name))
    return ok({ body: { version: 1, strategies: [...types.filter(({ editable }) => !editable), ...own] } })
  },
})

const getStrategy = defineOperation({
  id: 'getStrategy',
  method: 'GET',
  path: '/api/admin/strategies/:name',
  summary: 'Get a strategy type',
  tag,
  success: { status: 200, description: 'The type', schema: strategyTypeSchema },
  errors: [404],
  run: ({ params, context }) => {
    const found = findStrategyType(context.tables, params.name)
    return found.ok ? ok({ body: found.value }) : found
  },
})

const createStrategy = defineOperation({
  id: 'createStrategy',
  method: 'POST',
  path: '/api/admin/strategies',
  summary: 'Create a strategy type',
  tag,
  permission: 'CREATE_STRATEGY',
  body: createStrategySchema,
  success: {
    status: 201,
    description: 'The type',
    schema: strategyTypeSchema,
    headers: { location: 'The path to read it at' },
  },
  errors: [409],
  run: ({ body, context }) => {
    const invalid = strategyTypeName.check(body.name)
    if (invalid) return fail(invalid)
    const strategyType = createStrategyTypeRecord(body)
    if (!context.tables.strategyTypes.insert(strategyType)) return fail(nameTaken('strategy type', body.name))
    logEvent(context, { type: 'strategy-created', data: strategyType })
    return ok({ headers: { location: `strategies/${strategyType.name}` }, body: strategyType })
  },
})

const updateStrategy = defineOperation({
  id: 'updateStrategy',
  method: 'PUT',
  path: '/api/admin/strategies/:name',
  summary: 'Update a strategy type',
  tag,
  permission: 'UPDATE_STRATEGY',
  body: updateStrategySchema,
  success: { status: 200, description: 'The type is updated' },
  errors: [404],
  run: ({ params, body, context }) => {
    const found = findEditable(context.tables, params.name)
    if (!found.ok) return found
    const changed = createStrategyTypeRecord({ ...found.value, ...body })
    context.tables.strategyTypes.replace(changed)
    logEvent(context, { type: 'strategy-updated', data: changed })
    return ok({})
  },
})

const removeStrategy = defineOperation({
  id: 'removeStrategy',
  method: 'DELETE',
  path: '/api/admin/strategies/:name',
  summary: 'Delete a strategy type; strategies of this type stay',
  tag,
  permission: 'DELETE_STRATEGY',
  success: { status: 200, description: 'The type is deleted' },
  errors: [404],
  run: ({ params: { name }, context }) => {
    const found = findEditable(context.tables, name)
    if (!found.ok) return found
    context.tables.strategyTypes.remove(name)
    logEvent(context, { type: 'strategy-deleted', data: { name } })
    return ok({})
  },
})

const deprecateStrategy = defineOperation({
  id: 'deprecateStrategy',
  method: 'POST',
  path: '/api/admin/strategies/:name/deprecate',
  summary: 'Deprecate a strategy type',
  tag,
  permission: 'UPDATE_STRATEGY',
  success: { status: 200, description: 'The type is deprecated' },
  errors: [404],
  run: ({ params, context }) => okUnless(setDeprecated(context, params.name, true)),
})

const reactivateStrategy = defineOperation({
  id: 'reactivateStrategy',
  method: 'POST',
  path: '/api/admin/strategies/:name/reactivate',
  summary: 'Reactivate a deprecated strategy type',
  tag,
  permission: 'UPDATE_STRATEGY',
  success: { status: 200, description: 'The type is active' },
  errors: [404],
  run: ({ params, context }) => okUnless(setDeprecated(context, params.name, false)),
})

export const strategyTypeOperations = [
  getAllStrategies,
  getStrategy,
  createStrategy,
  updateStrategy,
  removeStrategy,
  deprecateStrategy,
  reactivateStrategy,
] as const
