import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { badData, type Failure, notFound, reject } from '../../contract/errors.js'
import { inOrder } from '../shared/checks.js'
import type { OperationContext, Tables } from '../shared/context.js'
import { patchDocument, patchesSchema } from '../shared/json-patch.js'
import { checkEnvironment } from '../shared/lookup.js'
import { strictObject } from '../shared/object.js'
import { del, get, ok, operations, patch, post, put } from '../shared/rows.js'
import { checkSegmentCount, checkSegmentsOfStrategy } from '../targeting/segments.operations.js'
import {
  checkSwitchable,
  environmentPath,
  type FeaturePlace,
  findFeatureEnvironment,
  hasNoEnvironment,
  replaceEnvironment,
  strategiesIn,
  withStrategies,
} from './feature-environments.operations.js'
import { placesOf, type StoredFeature } from './features.js'
import { findFeature, findInProject, saveFeature } from './features.model.js'
import {
  answeredStrategySchema,
  createFeatureStrategySchema,
  listedStrategiesSchema,
  makeStrategy,
  nextSortOrder,
  reorder,
  type Strategy,
  type StrategyUpdate,
  setStrategySortOrderSchema,
  updateFeatureStrategySchema,
} from './strategies.js'
import { checkStrategy, checkStrategyCount } from './strategies.model.js'

function unknownStrategy(feature: string, id: string, environment: string): Failure {
  return notFound(`The feature "${feature}" has no strategy "${id}" in the environment "${environment}".`)
}

interface StrategyPlace extends FeaturePlace {
  strategyId: string
}

/** A strategy by its ID, in the feature and the project of the path, in any environment. */
function findStrategy(tables: Tables, { projectId, featureName, strategyId, environment: sent }: StrategyPlace) {
  const [feature] = tables.features.by('strategy', strategyId)
  if (feature === undefined) reject(unknownStrategy(featureName, strategyId, sent))
  if (feature.project !== projectId || feature.name !== featureName) {
    const place = `the feature "${feature.name}" of the project "${feature.project}"`
    const message = `The strategy "${strategyId}" belongs to ${place}, and is reached only by its path.`
    reject({ kind: 'invalidOperation', message })
  }
  for (const { name: environment, strategies } of placesOf(feature)) {
    const strategy = strategies.find(({ id }) => id === strategyId)
    if (strategy !== undefined) return { feature, environment, strategy }
  }
  throw new Error(`The index names a strategy that is not in the feature "${feature.name}".`)
}

/** Changes a strategy. */
export function changeStrategy(
  context: OperationContext,
  place: StrategyPlace,
  change: (before: Frozen<Strategy>) => StrategyUpdate,
): Frozen<Strategy> {
  const { feature, environment: name, strategy: before } = findStrategy(context.tables, place)
  const update = change(before)
  const { name: type = before.name, segments = before.segments } = update
  const { constraints = before.constraints, variants = before.variants } = update
  reject(checkStrategy(context.tables, { name: type, segments, constraints, variants }, feature.project))

  const strategy = makeStrategy({ ...update, sortOrder: before.sortOrder }, before, feature.name)
  const { environment } = place
  const changed = offIfIdle(withStrategy(feature, name, strategy), environment)
  const event = { type: 'feature-strategy-update', data: strategy, preData: before, environment }
  saveFeature(context, changed.feature, [event, ...changed.events])
  return strategy
}

/** Sets the segments of a strategy. Logs no event. */
export function setSegments({ tables }: OperationContext, place: StrategyPlace, segments: readonly number[]): void {
  const { feature, environment, strategy } = findStrategy(tables, place)
  reject(checkSegmentsOfStrategy(tables, segments, feature.project) ?? checkSegmentCount(segments))
  tables.features.replace(withStrategy(feature, environment, { ...strategy, segments }))
}

function withStrategy(feature: StoredFeature, environment: string, strategy: Frozen<Strategy>): StoredFeature {
  const strategies = strategiesIn(feature, environment).map((one) => (one.id === strategy.id ? strategy : one))
  return withStrategies(feature, environment, strategies)
}

export function removeStrategy(context: OperationContext, place: StrategyPlace): void {
  const { feature, environment: name, strategy } = findStrategy(context.tables, place)
  const { environment } = place
  const strategies = strategiesIn(feature, name).filter(({ id }) => id !== strategy.id)
  const changed = offIfIdle(withStrategies(feature, name, strategies), environment)
  const event = { type: 'feature-strategy-remove', data: null, preData: strategy, environment }
  saveFeature(context, changed.feature, [...changed.events, event])
}

/** The feature, disabled in an environment without enabled strategies, and the event. */
function offIfIdle(feature: StoredFeature, name: string) {
  if (strategiesIn(feature, name).some(({ disabled }) => !disabled)) return { feature, events: [] }
  const environment = feature.environments.find((one) => one.name === name)
  if (environment === undefined) reject(notFound(hasNoEnvironment(feature.name, name)))
  reject(checkSwitchable(feature))
  if (!environment.enabled) return { feature, events: [] }
  return {
    feature: replaceEnvironment(feature, { ...environment, enabled: false }),
    events: [{ type: 'feature-environment-disabled', data: null, environment: name }],
  }
}

/** The values of fields that an update omits. */
const emptied = { parameters: {}, constraints: [], variants: [] }

/** A strategy after a patch, which adds no fields. */
const patchedStrategySchema = strictObject(() => ({ ...createFeatureStrategySchema.shape, id: z.unknown() }))

export const strategyOperations = operations('Strategies', {
  getFeatureStrategies: get(`${environmentPath}/strategies`, {
    summary: 'List the strategies of a feature in an environment, in their order',
    success: ok('The strategies', listedStrategiesSchema),
    run: ({ params, tables }) => {
      const { strategies } = findFeatureEnvironment(tables, params).environment
      return { body: strategies.map((strategy) => ({ ...strategy, milestoneId: null })) }
    },
  }),

  getFeatureStrategy: get(`${environmentPath}/strategies/:strategyId`, {
    summary: 'Get a strategy of a feature',
    success: ok('The strategy', answeredStrategySchema),
    errors: [403, 404],
    run: ({ params, tables }) => ({ body: findStrategy(tables, params).strategy }),
  }),

  addFeatureStrategy: post(`${environmentPath}/strategies`, {
    summary: 'Add a strategy to a feature in an environment',
    permission: 'CREATE_FEATURE_STRATEGY',
    body: createFeatureStrategySchema,
    success: ok('The strategy', answeredStrategySchema),
    run: ({ params, body, context, tables }) => {
      const found = findInProject(tables, params)
      const { environment } = params
      const existing = strategiesIn(found, environment)
      const { segments = [], constraints = [], variants = [] } = body
      reject(checkStrategyCount(existing.length + 1))
      reject(checkStrategy(tables, { name: body.name, segments, constraints, variants }, found.project))
      reject(checkEnvironment(tables, environment, '/params/environment'))
      const id = context.ids.ulid(context.now.getTime())
      const sortOrder = nextSortOrder(existing)
      const strategy = makeStrategy(body, { id, name: body.name, sortOrder }, found.name)
      saveFeature(context, withStrategies(found, environment, inOrder([...existing, strategy])), [
        { type: 'feature-strategy-add', data: strategy, environment },
      ])
      return { body: strategy }
    },
  }),

  updateFeatureStrategy: put(`${environmentPath}/strategies/:strategyId`, {
    summary: 'Update a strategy; omitted parameters, constraints and variants are removed',
    permission: 'UPDATE_FEATURE_STRATEGY',
    body: updateFeatureStrategySchema,
    success: ok('The strategy', answeredStrategySchema),
    run: ({ params, body, context }) => ({
      body: changeStrategy(context, params, () => ({ ...emptied, ...body })),
    }),
  }),

  patchFeatureStrategy: patch(`${environmentPath}/strategies/:strategyId`, {
    summary: 'Change a strategy with a JSON Patch',
    permission: 'UPDATE_FEATURE_STRATEGY',
    body: patchesSchema,
    success: ok('The strategy', answeredStrategySchema),
    run: ({ params, body, context }) => {
      const change = (before: Frozen<Strategy>) => ({
        ...emptied,
        ...patchDocument(before, body, patchedStrategySchema, { tellsPlace: true }),
      })
      return { body: changeStrategy(context, params, change) }
    },
  }),

  deleteFeatureStrategy: del(`${environmentPath}/strategies/:strategyId`, {
    summary: 'Delete a strategy of a feature',
    permission: 'DELETE_FEATURE_STRATEGY',
    success: { status: 200, description: 'The strategy is deleted' },
    run: ({ params, context }) => {
      removeStrategy(context, params)
      // A client that reads JSON by the content type fails at the empty body, here as with Unleash.
      return { headers: { 'content-type': 'application/json; charset=utf-8' } }
    },
  }),

  setStrategySortOrder: post(`${environmentPath}/strategies/set-sort-order`, {
    summary: 'Reorder the strategies of a feature',
    permission: 'UPDATE_FEATURE_STRATEGY',
    body: setStrategySortOrderSchema,
    success: { status: 200, description: 'The strategies are reordered' },
    run: ({ params, body, context }) => {
      const { project: projectId } = findFeature(context.tables, params.featureName)
      const { feature, environment } = findFeatureEnvironment(context.tables, { ...params, projectId })
      const { name, strategies: before } = environment
      const missing = body.find(({ id }) => !before.some((strategy) => strategy.id === id))
      if (missing !== undefined) {
        reject(badData(`The feature "${feature.name}" has no strategy "${missing.id}" in "${name}".`, '/body'))
      }
      const strategies = reorder(before, body)
      saveFeature(context, replaceEnvironment(feature, { ...environment, strategies }), [
        {
          type: 'strategy-order-changed',
          data: { strategyIds: strategies.map(({ id }) => id) },
          preData: { strategyIds: before.map(({ id }) => id) },
          environment: name,
        },
      ])
    },
  }),
})
