import { type Failure, notFound } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, ok, type Result } from '../../../support/result.js'
import type { OperationContext, Tables } from '../../shared/context.js'
import { type FeaturePlace, type FoundEnvironment, findFeatureEnvironment } from '../feature-environments/lookup.js'
import { replaceEnvironment } from '../feature-environments/rules.js'
import { saveFeature } from '../features/actions.js'
import { checkStrategy } from './checks.js'
import { inOrder, makeStrategy } from './rules.js'
import type { Strategy, StrategyUpdate } from './schema.js'

export interface StrategyPlace extends FeaturePlace {
  strategyId: string
}

export interface FoundStrategy extends FoundEnvironment {
  strategy: Frozen<Strategy>
}

/** A strategy of the path's feature in the path's environment. */
export function findStrategy(tables: Tables, place: StrategyPlace): Result<FoundStrategy, Failure> {
  const found = findFeatureEnvironment(tables, place)
  if (!found.ok) return found
  const strategy = found.value.environment.strategies.find(({ id }) => id === place.strategyId)
  if (strategy !== undefined) return ok({ ...found.value, strategy })
  const message = `The feature "${place.featureName}" has no strategy "${place.strategyId}" in "${place.environment}".`
  return fail(notFound(message))
}

/** Changes a strategy as it is asked for, if what comes of it can stand, and answers it. */
export function changeStrategy(
  context: OperationContext,
  place: StrategyPlace,
  ask: (before: Frozen<Strategy>) => Result<StrategyUpdate, Failure>,
): Result<Frozen<Strategy>, Failure> {
  const found = findStrategy(context.tables, place)
  if (!found.ok) return found
  const { feature, environment, strategy: before } = found.value
  const asked = ask(before)
  if (!asked.ok) return asked
  const refusal = checkStrategy(context.tables, { ...before, ...definedOf(asked.value) }, feature.project)
  if (refusal) return fail(refusal)

  const strategy = makeStrategy(asked.value, before, feature.name)
  const strategies = environment.strategies.map((one) => (one.id === strategy.id ? strategy : one))
  const changed = replaceEnvironment(feature, { ...environment, strategies: inOrder(strategies) })
  const event = { type: 'feature-strategy-update', data: strategy, preData: before, environment: environment.name }
  saveFeature(context, changed, [event])
  return ok(strategy)
}

type Checked = Pick<Strategy, 'name' | 'segments' | 'constraints' | 'variants'>

/** What was said of a strategy that is to be checked, without what was not. */
function definedOf({ name, segments, constraints, variants }: StrategyUpdate): Partial<Checked> {
  return {
    ...(name === undefined ? {} : { name }),
    ...(segments === undefined ? {} : { segments }),
    ...(constraints === undefined ? {} : { constraints }),
    ...(variants === undefined ? {} : { variants }),
  }
}
