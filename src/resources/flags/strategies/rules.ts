import type { Frozen } from '../../../support/freeze.js'
import { normalizeConstraint } from '../../targeting/constraints/rules.js'
import { balanceWeights } from '../variants/rules.js'
import type { Strategy, StrategyUpdate } from './schema.js'

type Stored = Frozen<Strategy>

/** The type of strategies whose parameters the service completes. */
const GRADUAL_ROLLOUT = 'flexibleRollout'

/** A strategy as it is asked for: what is not said of it is as it was, or else as the service sets it. */
export function makeStrategy(
  asked: Frozen<StrategyUpdate>,
  before: Partial<Stored> & Pick<Stored, 'id' | 'name' | 'sortOrder'>,
  featureName: string,
): Stored {
  const name = asked.name ?? before.name
  const parameters = asked.parameters ?? before.parameters ?? {}
  return {
    id: before.id,
    name,
    title: asked.title === undefined ? (before.title ?? null) : asked.title,
    disabled: (asked.disabled === undefined ? before.disabled : asked.disabled) ?? false,
    sortOrder: asked.sortOrder ?? before.sortOrder,
    segments: asked.segments ?? before.segments ?? [],
    constraints: (asked.constraints ?? before.constraints ?? []).map(normalizeConstraint),
    variants: balanceWeights(asked.variants ?? before.variants ?? []),
    parameters: name === GRADUAL_ROLLOUT ? completeRollout(parameters, featureName) : parameters,
  }
}

/** What a feature without strategies is given when it is turned on: on for everybody. */
export function defaultStrategy(featureName: string, before: Pick<Stored, 'id' | 'sortOrder'>): Stored {
  return makeStrategy({}, { ...before, name: GRADUAL_ROLLOUT }, featureName)
}

function completeRollout(given: Stored['parameters'], featureName: string): Stored['parameters'] {
  return {
    ...given,
    rollout: given.rollout ?? '100',
    stickiness: given.stickiness || 'default',
    groupId: given.groupId || featureName,
  }
}

/** The place of a strategy that is added without one: after the last. */
export function nextSortOrder(strategies: readonly Pick<Stored, 'sortOrder'>[]): number {
  return strategies.reduce((next, { sortOrder }) => Math.max(next, sortOrder + 1), 0)
}

/** Strategies in the order in which they are shown; those of the same place as they came. */
export function inOrder(strategies: readonly Stored[]): Stored[] {
  return strategies.toSorted((one, other) => one.sortOrder - other.sortOrder)
}
