import type { Failure } from '../../../contract/errors.js'
import type { Reply } from '../../../contract/operation.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, ok, type Result } from '../../../support/result.js'
import { logEvent } from '../../instance/events/actions.js'
import type { OperationContext } from '../../shared/context.js'
import { findRecord, nameTaken } from '../../shared/lookup.js'
import { defineOperation } from '../../shared/operation.js'
import { createStrategyTypeRecord } from './rules.js'
import {
  createStrategySchema,
  type StrategyType,
  strategyTypeName,
  strategyTypeSchema,
  strategyTypesSchema,
  updateStrategySchema,
} from './schema.js'

const tag = 'Strategy types'
const what = 'type of strategies'

const getAllStrategies = defineOperation({
  id: 'getAllStrategies',
  method: 'GET',
  path: '/api/admin/strategies',
  summary: 'The types of strategies',
  tag,
  access: 'admin',
  success: { status: 200, description: 'The types', schema: strategyTypesSchema },
  errors: [401],
  run: ({ context }) => ok({ body: { version: 1, strategies: context.tables.strategyTypes.list() } }),
})

const getStrategy = defineOperation({
  id: 'getStrategy',
  method: 'GET',
  path: '/api/admin/strategies/:name',
  summary: 'One type of strategies',
  tag,
  access: 'admin',
  success: { status: 200, description: 'The type', schema: strategyTypeSchema },
  errors: [400, 401, 404],
  run: ({ params, context }) => {
    const found = findRecord(context.tables.strategyTypes, params.name, what)
    return found.ok ? ok({ body: found.value }) : found
  },
})

const createStrategy = defineOperation({
  id: 'createStrategy',
  method: 'POST',
  path: '/api/admin/strategies',
  summary: 'Create a type of strategies',
  tag,
  access: 'admin',
  permission: 'CREATE_STRATEGY',
  body: createStrategySchema,
  success: {
    status: 201,
    description: 'The type',
    schema: strategyTypeSchema,
    headers: { location: 'PermissionScope it is read' },
  },
  errors: [400, 401, 403, 409, 413, 415],
  run: ({ body, context }) => {
    const illegal = strategyTypeName.check(body.name)
    if (illegal) return fail(illegal)
    const strategyType = createStrategyTypeRecord(body)
    if (!context.tables.strategyTypes.insert(strategyType)) return fail(nameTaken(what, body.name))
    logEvent(context, { type: 'strategy-created', data: strategyType })
    return ok({ headers: { location: `strategies/${strategyType.name}` }, body: strategyType })
  },
})

const updateStrategy = defineOperation({
  id: 'updateStrategy',
  method: 'PUT',
  path: '/api/admin/strategies/:name',
  summary: 'Change a type of strategies',
  tag,
  access: 'admin',
  permission: 'UPDATE_STRATEGY',
  body: updateStrategySchema,
  success: { status: 200, description: 'The type is changed' },
  errors: [400, 401, 403, 404, 413, 415],
  run: ({ params, body, context }) =>
    changeEditable(context, params.name, (before) => {
      const changed = createStrategyTypeRecord({ ...before, ...body })
      context.tables.strategyTypes.replace(changed)
      logEvent(context, { type: 'strategy-updated', data: changed, preData: before })
    }),
})

const removeStrategy = defineOperation({
  id: 'removeStrategy',
  method: 'DELETE',
  path: '/api/admin/strategies/:name',
  summary: 'Delete a type of strategies; strategies that were made from it stay',
  tag,
  access: 'admin',
  permission: 'DELETE_STRATEGY',
  success: { status: 200, description: 'The type is gone' },
  errors: [400, 401, 403, 404],
  run: ({ params, context }) =>
    changeEditable(context, params.name, ({ name }) => {
      context.tables.strategyTypes.remove(name)
      logEvent(context, { type: 'strategy-deleted', data: { name } })
    }),
})

const deprecateStrategy = defineOperation({
  id: 'deprecateStrategy',
  method: 'POST',
  path: '/api/admin/strategies/:name/deprecate',
  summary: 'Mark a type of strategies as one that is not to be used any more',
  tag,
  access: 'admin',
  permission: 'UPDATE_STRATEGY',
  success: { status: 200, description: 'The type is deprecated' },
  errors: [400, 401, 403, 404],
  run: ({ params, context }) => setDeprecated(context, params.name, true),
})

const reactivateStrategy = defineOperation({
  id: 'reactivateStrategy',
  method: 'POST',
  path: '/api/admin/strategies/:name/reactivate',
  summary: 'Take the mark of deprecation off a type of strategies',
  tag,
  access: 'admin',
  permission: 'UPDATE_STRATEGY',
  success: { status: 200, description: 'The type is not deprecated' },
  errors: [400, 401, 403, 404],
  run: ({ params, context }) => setDeprecated(context, params.name, false),
})

/** Changes a type that is not built in. */
function changeEditable(
  { tables }: OperationContext,
  name: string,
  change: (before: Frozen<StrategyType>) => void,
): Result<Reply, Failure> {
  const found = findRecord(tables.strategyTypes, name, what)
  if (!found.ok) return found
  if (!found.value.editable) {
    const message = `The ${what} "${name}" is built in: it can't be changed or deleted.`
    return fail({ kind: 'invalidOperation', message })
  }
  change(found.value)
  return ok({})
}

function setDeprecated(context: OperationContext, name: string, deprecated: boolean): Result<Reply, Failure> {
  const found = findRecord(context.tables.strategyTypes, name, what)
  if (!found.ok) return found
  if (name === ALWAYS_THERE) {
    return fail({ kind: 'invalidOperation', message: `The ${what} "${name}" can't be deprecated.` })
  }
  context.tables.strategyTypes.replace({ ...found.value, deprecated })
  logEvent(context, { type: deprecated ? 'strategy-deprecated' : 'strategy-reactivated', data: { name } })
  return ok({})
}

/** The type that every SDK knows. */
const ALWAYS_THERE = 'default'

export const strategyTypeOperations = [
  getAllStrategies,
  getStrategy,
  createStrategy,
  updateStrategy,
  removeStrategy,
  deprecateStrategy,
  reactivateStrategy,
] as const
