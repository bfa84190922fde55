import type { Frozen } from '../../../support/freeze.js'
import { normalizeConstraint } from '../../targeting/constraints/rules.js'
import { balanceWeights } from '../variants/rules.js'
import type { SortOrders, Strategy, StrategyUpdate } from './schema.js'

type Stored = Frozen<Strategy>

/** The strategy type whose parameters the service completes. */
export const GRADUAL_ROLLOUT = 'flexibleRollout'

/** A strategy after an update: omitted fields stay as they were or, in a new strategy, get the service's defaults. */
export function makeStrategy(
  update: Frozen<StrategyUpdate>,
  before: Partial<Stored> & Pick<Stored, 'id' | 'name' | 'sortOrder'>,
  featureName: string,
): Stored {
  const name = update.name ?? before.name
  const parameters = update.parameters ?? before.parameters ?? {}
  return {
    id: before.id,
    name,
    title: update.title === undefined ? (before.title ?? null) : update.title,
    disabled: (update.disabled === undefined ? before.disabled : update.disabled) ?? false,
    sortOrder: update.sortOrder ?? before.sortOrder,
    segments: update.segments ?? before.segments ?? [],
    constraints: (update.constraints ?? before.constraints ?? []).map(normalizeConstraint),
    variants: balanceWeights(update.variants ?? before.variants ?? []),
    // The service completes the parameters only if the update names the type.
    parameters: update.name === GRADUAL_ROLLOUT ? completeRollout(parameters, featureName) : parameters,
  }
}

/** The strategy that a feature gets when it is enabled without one: its project's or, without that, on for everybody. */
export function defaultStrategy(
  featureName: string,
  { id, sortOrder }: Pick<Stored, 'id' | 'sortOrder'>,
  ofProject: Frozen<StrategyUpdate> = {},
): Stored {
  const update = { ...ofProject, name: GRADUAL_ROLLOUT, sortOrder }
  return makeStrategy(update, { id, sortOrder, name: GRADUAL_ROLLOUT }, featureName)
}

function completeRollout(given: Stored['parameters'], featureName: string): Stored['parameters'] {
  return {
    ...given,
    rollout: given.rollout ?? '100',
    stickiness: given.stickiness || 'default',
    groupId: given.groupId || featureName,
  }
}

/** The sort order that puts a new strategy last. */
export function nextSortOrder(strategies: readonly Pick<Stored, 'sortOrder'>[]): number {
  return strategies.reduce((next, { sortOrder }) => Math.max(next, sortOrder + 1), 0)
}

/** The strategies by sort order; ties keep their order. */
export function inOrder(strategies: readonly Stored[]): Stored[] {
  return strategies.toSorted((one, other) => one.sortOrder - other.sortOrder)
}

/** The strategies with new sort orders; those not named keep theirs. */
export function reorder(strategies: readonly Stored[], sortOrders: SortOrders): Stored[] {
  const byId = new Map(sortOrders.map(({ id, sortOrder }) => [id, sortOrder]))
  return inOrder(strategies.map((one) => ({ ...one, sortOrder: byId.get(one.id) ?? one.sortOrder })))
}
