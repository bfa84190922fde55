import type { Failure } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, ok, type Result } from '../../../support/result.js'
import type { OperationContext } from '../../shared/context.js'
import { type FoundEnvironment, findFeatureEnvironment } from '../feature-environments/lookup.js'
import {
  isOnWithoutStrategies,
  replaceEnvironment,
  strategiesIn,
  withStrategies,
} from '../feature-environments/rules.js'
import { type FeatureEvent, saveFeature } from '../features/actions.js'
import type { FeatureRecord } from '../features/schema.js'
import { checkStrategy } from './checks.js'
import { findStrategy, type StrategyPlace } from './lookup.js'
import { inOrder, makeStrategy, reorder } from './rules.js'
import type { SortOrders, Strategy, StrategyUpdate } from './schema.js'

/** Changes a strategy, if the result is valid, and returns it. */
export function changeStrategy(
  context: OperationContext,
  place: StrategyPlace,
  change: (before: Frozen<Strategy>) => Result<StrategyUpdate, Failure>,
): Result<Frozen<Strategy>, Failure> {
  const found = findStrategy(context.tables, place)
  if (!found.ok) return found
  const { feature, environment: name, strategy: before } = found.value
  const update = change(before)
  if (!update.ok) return update
  const failure = checkStrategy(context.tables, { ...before, ...definedOf(update.value) }, feature.project)
  if (failure) return fail(failure)

  const strategy = makeStrategy(update.value, before, feature.name)
  const { environment } = place
  const strategies = strategiesIn(feature, name).map((one) => (one.id === strategy.id ? strategy : one))
  const changed = offIfIdle(withStrategies(feature, name, inOrder(strategies)), environment)
  const event = { type: 'feature-strategy-update', data: strategy, preData: before, environment }
  saveFeature(context, changed.feature, [event, ...changed.events])
  return ok(strategy)
}

export function removeStrategy(context: OperationContext, place: StrategyPlace): Failure | undefined {
  const found = findStrategy(context.tables, place)
  if (!found.ok) return found.failure
  const { feature, environment: name, strategy } = found.value
  const { environment } = place
  const connected = findFeatureEnvironment(context.tables, place)
  if (!connected.ok) return connected.failure
  const strategies = strategiesIn(feature, name).filter(({ id }) => id !== strategy.id)
  const changed = offIfIdle(withStrategies(feature, name, strategies), environment)
  const event = { type: 'feature-strategy-remove', data: null, preData: strategy, environment }
  saveFeature(context, changed.feature, [...changed.events, event])
  return undefined
}

/** The feature, disabled in an environment where no enabled strategy is left, and the event of it. */
function offIfIdle(
  feature: Frozen<FeatureRecord>,
  name: string,
): { feature: Frozen<FeatureRecord>; events: FeatureEvent[] } {
  const environment = feature.environments.find((one) => one.name === name)
  if (environment === undefined || !isOnWithoutStrategies(feature, name)) return { feature, events: [] }
  return {
    feature: replaceEnvironment(feature, { ...environment, enabled: false }),
    events: [{ type: 'feature-environment-disabled', data: null, environment: name }],
  }
}

type Checked = Pick<Strategy, 'name' | 'segments' | 'constraints' | 'variants'>

/** The fields to check that an update sets. */
function definedOf({ name, segments, constraints, variants }: StrategyUpdate): Partial<Checked> {
  return {
    ...(name === undefined ? {} : { name }),
    ...(segments === undefined ? {} : { segments }),
    ...(constraints === undefined ? {} : { constraints }),
    ...(variants === undefined ? {} : { variants }),
  }
}

/** Gives the strategies of a feature in an environment new sort orders. */
export function reorderStrategies(
  context: OperationContext,
  { feature, environment }: FoundEnvironment,
  sortOrders: SortOrders,
): void {
  const strategies = reorder(environment.strategies, sortOrders)
  saveFeature(context, replaceEnvironment(feature, { ...environment, strategies }), [
    {
      type: 'strategy-order-changed',
      data: { strategyIds: strategies.map(({ id }) => id) },
      preData: { strategyIds: environment.strategies.map(({ id }) => id) },
      environment: environment.name,
    },
  ])
}
