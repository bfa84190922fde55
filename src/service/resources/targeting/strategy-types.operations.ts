import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { badData, type Failure, reject } from '../../contract/errors.js'
import { logEvent } from '../instance/events.operations.js'
import { byName, nameTaken } from '../shared/checks.js'
import type { OperationContext, Tables } from '../shared/context.js'
import { completed } from '../shared/fields.js'
import { findRecord } from '../shared/lookup.js'
import { created, del, get, ok, operations, post, put } from '../shared/rows.js'
import { named, versioned } from '../shared/schema.js'
import {
  checkEditable,
  parameterSchema,
  type StrategyType,
  strategyTypeName,
  strategyTypeSchema,
} from './strategy-types.js'

type StoredStrategyType = Frozen<StrategyType>

function findStrategyType(tables: Tables, name: string): StoredStrategyType {
  return findRecord(tables.strategyTypes, name, 'strategy type')
}

/** A custom strategy type. */
function findEditable(tables: Tables, name: string): StoredStrategyType {
  const found = findStrategyType(tables, name)
  reject(checkEditable(found))
  return found
}

function setDeprecated(context: OperationContext, name: string, deprecated: boolean): undefined {
  const found = findStrategyType(context.tables, name)
  context.tables.strategyTypes.replace({ ...found, deprecated })
  logEvent(context, { type: deprecated ? 'strategy-deprecated' : 'strategy-reactivated', data: { name } })
}

/** Fails if a parameter has no name. */
function checkParameters(parameters: StrategyType['parameters']): Failure | undefined {
  const nameless = parameters.flatMap(({ name }, index) => (name === '' ? [`parameters[${index}].name`] : []))
  return nameless.map((place) => badData(`"${place}" must not be empty.`, '/body/parameters')).reduce(inOne, undefined)
}

/** Two failures as one. */
function inOne(one: Failure | undefined, other: Failure | undefined): Failure | undefined {
  if (one === undefined || other === undefined) return one ?? other
  const details = [one, other].flatMap(({ details = [] }) => details)
  return { ...one, message: `${one.message} ${other.message}`, details }
}

/** The type as in events: the fields that were sent, and the defaults of two others. */
function asSent(sent: object, { name }: StrategyType) {
  return { editable: true, ...sent, name, deprecated: false }
}

export const strategyTypeOperations = operations('Strategy types', {
  getAllStrategies: get('/api/admin/strategies', {
    summary: 'List the strategy types: built-in types, then others by name',
    success: ok(
      'The types',
      versioned('strategiesSchema', () => ({ strategies: z.array(strategyTypeSchema) })),
    ),
    run: ({ tables }) => {
      const types = tables.strategyTypes.list()
      const own = types.filter(({ editable }) => editable).toSorted(byName)
      return { body: { version: 1, strategies: [...types.filter(({ editable }) => !editable), ...own] } }
    },
  }),

  getStrategy: get('/api/admin/strategies/:name', {
    summary: 'Get a strategy type',
    success: ok('The type', strategyTypeSchema),
    run: ({ params, context }) => ({ body: findStrategyType(context.tables, params.name) }),
  }),

  createStrategy: post('/api/admin/strategies', {
    summary: 'Create a strategy type',
    permission: 'CREATE_STRATEGY',
    body: named('createStrategySchema', () => ({
      name: strategyTypeName.schema,
      title: z.string().optional(),
      description: z.string().optional(),
      editable: z.boolean().optional().meta({ description: 'Ignored: a new type is editable' }),
      deprecated: z.boolean().optional().meta({ description: 'Ignored: a new type is not deprecated' }),
      parameters: z.array(parameterSchema),
    })),
    success: created('The type', strategyTypeSchema),
    errors: [409],
    run: ({ body, context }) => {
      reject(inOne(strategyTypeName.check(body.name), checkParameters(body.parameters)))
      const { editable: _, deprecated: __, ...sent } = body
      const strategyType = completed(strategyTypeSchema, sent, context)
      if (context.tables.strategyTypes.has(body.name)) reject(nameTaken('strategy type', body.name))
      context.tables.strategyTypes.insert(strategyType)
      logEvent(context, { type: 'strategy-created', data: asSent(body, strategyType) })
      return { headers: { location: `strategies/${strategyType.name}` }, body: strategyType }
    },
  }),

  updateStrategy: put('/api/admin/strategies/:name', {
    summary: 'Update a strategy type',
    permission: 'UPDATE_STRATEGY',
    body: named('updateStrategySchema', () => ({
      title: z.string().optional(),
      description: z.string().optional(),
      parameters: z.array(parameterSchema),
    })),
    success: { status: 200, description: 'The type is updated' },
    run: ({ params, body, context }) => {
      reject(checkParameters(body.parameters))
      const found = findEditable(context.tables, params.name)
      const changed = completed(strategyTypeSchema, { ...found, ...body }, context)
      context.tables.strategyTypes.replace(changed)
      logEvent(context, { type: 'strategy-updated', data: asSent(body, changed) })
    },
  }),

  removeStrategy: del('/api/admin/strategies/:name', {
    summary: 'Delete a strategy type; strategies of this type stay',
    permission: 'DELETE_STRATEGY',
    success: { status: 200, description: 'The type is deleted' },
    run: ({ params: { name }, context }) => {
      findEditable(context.tables, name)
      context.tables.strategyTypes.remove(name)
      logEvent(context, { type: 'strategy-deleted', data: { name } })
    },
  }),

  deprecateStrategy: post('/api/admin/strategies/:name/deprecate', {
    summary: 'Deprecate a strategy type',
    permission: 'UPDATE_STRATEGY',
    success: { status: 200, description: 'The type is deprecated' },
    run: ({ params, context }) => setDeprecated(context, params.name, true),
  }),

  reactivateStrategy: post('/api/admin/strategies/:name/reactivate', {
    summary: 'Reactivate a deprecated strategy type',
    permission: 'UPDATE_STRATEGY',
    success: { status: 200, description: 'The type is active' },
    run: ({ params, context }) => setDeprecated(context, params.name, false),
  }),
})
