import type { Failure } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, ok, type Result } from '../../../support/result.js'
import type { OperationContext } from '../../shared/context.js'
import type { FoundEnvironment } from '../feature-environments/lookup.js'
import { replaceEnvironment } from '../feature-environments/rules.js'
import { saveFeature } from '../features/actions.js'
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
  const { feature, environment, strategy: before } = found.value
  const update = change(before)
  if (!update.ok) return update
  const failure = checkStrategy(context.tables, { ...before, ...definedOf(update.value) }, feature.project)
  if (failure) return fail(failure)

  const strategy = makeStrategy(update.value, before, feature.name)
  const strategies = environment.strategies.map((one) => (one.id === strategy.id ? strategy : one))
  const changed = replaceEnvironment(feature, { ...environment, strategies: inOrder(strategies) })
  const event = { type: 'feature-strategy-update', data: strategy, preData: before, environment: environment.name }
  saveFeature(context, changed, [event])
  return ok(strategy)
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
