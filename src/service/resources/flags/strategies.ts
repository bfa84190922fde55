import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { inOrder } from '../shared/checks.js'
import { field, given, openEnum, optional, whole } from '../shared/fields.js'
import { object } from '../shared/object.js'
import { named } from '../shared/schema.js'
import { constraintSchema, normalizeConstraint, sentConstraintSchema } from '../targeting/constraints.js'
import {
  balanceWeights,
  sentStrategyVariantSchema,
  strategyVariantFixtureSchema,
  strategyVariantSchema,
} from './variants.js'

/** A strategy as stored in an environment of a feature. */
export const strategySchema = object(() => ({
  id: given(z.string(), z.string().optional(), 'The ID. Default: a new ID.'),
  name: given(
    z.string(),
    openEnum(['default', 'flexibleRollout', 'userWithId', 'remoteAddress', 'applicationHostname']),
    'The type: built-in, or from `strategyTypes`.',
  ),
  title: optional(z.string().nullable(), null, 'The title.'),
  disabled: optional(z.boolean(), false, 'Whether it is disabled.'),
  sortOrder: given(z.int(), z.int().optional(), 'The position. Default: its place in the list.'),
  segments: optional(z.array(z.int()), [], 'The IDs of segments that must also match.'),
  constraints: whole(optional(z.array(constraintSchema), [], 'Constraints that must also match.')),
  variants: given(z.array(strategyVariantSchema), z.array(strategyVariantFixtureSchema), [], 'Its own variants.'),
  parameters: whole(
    given(
      z.record(z.string(), z.string()),
      z.record(z.string(), z.string()).optional(),
      "Its parameters, as text. Default for `flexibleRollout`: 100 %, with the feature's name as `groupId`.",
    ),
  ),
}))

export type Strategy = z.infer<typeof strategySchema>

/** A strategy in the responses of strategy operations. */
export const answeredStrategySchema = named('featureStrategySchema', () => strategySchema.extend({}).shape)

export const listedStrategiesSchema = z
  .array(strategySchema.extend({ milestoneId: z.null() }))
  .meta({ id: 'featureStrategiesSchema' })

export const updateFeatureStrategySchema = named('updateFeatureStrategySchema', () => ({
  name: field(z.string().optional(), 'The type.'),
  title: field(z.string().nullable().optional(), 'The title.'),
  disabled: field(z.boolean().nullable().optional(), 'Whether it is disabled.'),
  sortOrder: field(z.int().optional(), 'The position.'),
  segments: field(z.array(z.int()).optional(), 'The IDs of segments that must also match.'),
  constraints: whole(field(z.array(sentConstraintSchema).optional(), 'Constraints that must also match.')),
  variants: field(z.array(sentStrategyVariantSchema).optional(), 'Its own variants.'),
  parameters: whole(field(z.record(z.string(), z.string()).optional(), 'Its parameters, as text.')),
}))

export type StrategyUpdate = z.infer<typeof updateFeatureStrategySchema>

export const createFeatureStrategySchema = named(
  'createFeatureStrategySchema',
  () =>
    updateFeatureStrategySchema.extend({
      name: field(z.string(), 'The type.'),
    }).shape,
)

export const setStrategySortOrderSchema = z
  .array(z.strictObject({ id: z.string(), sortOrder: z.int() }))
  .meta({ id: 'setStrategySortOrderSchema' })

type SortOrders = z.infer<typeof setStrategySortOrderSchema>

type StoredStrategy = Frozen<Strategy>

/** The strategy type whose parameters Unleash completes. */
export const GRADUAL_ROLLOUT = 'flexibleRollout'

/** A strategy after an update: omitted fields stay unchanged or, in a new strategy, get Unleash's defaults. */
export function makeStrategy(
  update: Frozen<StrategyUpdate>,
  before: Partial<StoredStrategy> & Pick<StoredStrategy, 'id' | 'name' | 'sortOrder'>,
  featureName: string,
): StoredStrategy {
  const name = update.name ?? before.name
  const parameters = update.parameters ?? before.parameters ?? {}
  return {
    id: before.id,
    name,
    // A client that removes a title with null has no success with Unleash either.
    title: update.title ?? before.title ?? null,
    disabled: (update.disabled === undefined ? before.disabled : update.disabled) ?? false,
    sortOrder: update.sortOrder ?? before.sortOrder,
    segments: (update.segments ?? before.segments ?? []).toSorted((one, other) => one - other),
    constraints: (update.constraints ?? before.constraints ?? []).map(normalizeConstraint),
    variants: balanceWeights(update.variants ?? before.variants ?? []),
    // Unleash completes the parameters only if the update names the type.
    parameters: update.name === GRADUAL_ROLLOUT ? completeRollout(parameters, featureName) : parameters,
  }
}

/** The strategy of a feature that is enabled without strategies: its project's default or, without it, on for everyone. */
export function defaultStrategy(
  featureName: string,
  { id, sortOrder }: Pick<StoredStrategy, 'id' | 'sortOrder'>,
  ofProject: Frozen<StrategyUpdate> = {},
): StoredStrategy {
  const update = { sortOrder, ...ofProject, name: GRADUAL_ROLLOUT }
  return makeStrategy(update, { id, sortOrder, name: GRADUAL_ROLLOUT }, featureName)
}

/** The parameters of a gradual rollout, with defaults for missing ones. */
export function completeRollout(
  given: StoredStrategy['parameters'],
  featureName: string,
): StoredStrategy['parameters'] {
  return {
    ...given,
    rollout: given.rollout ?? '100',
    stickiness: given.stickiness || 'default',
    groupId: given.groupId || featureName,
  }
}

/** The sort order that puts a new strategy last. */
export function nextSortOrder(strategies: readonly Pick<StoredStrategy, 'sortOrder'>[]): number {
  return strategies.reduce((next, { sortOrder }) => Math.min(Number.MAX_SAFE_INTEGER, Math.max(next, sortOrder + 1)), 0)
}

/** The strategies with new sort orders; the others stay unchanged. */
export function reorder(strategies: readonly StoredStrategy[], sortOrders: SortOrders): StoredStrategy[] {
  const byId = new Map(sortOrders.map(({ id, sortOrder }) => [id, sortOrder]))
  return inOrder(strategies.map((one) => ({ ...one, sortOrder: byId.get(one.id) ?? one.sortOrder })))
}
