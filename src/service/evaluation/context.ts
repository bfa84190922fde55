import { murmur3 } from '../../support/hash.js'
import { type EvaluationBudget, HASHED } from './budget.js'

/** The context of an evaluation: the values that constraints and stickiness refer to. */
export interface EvaluationContext {
  userId?: string
  sessionId?: string
  remoteAddress?: string
  appName?: string
  environment?: string
  /** The fields that were sent as a list. Their text doesn't choose a variant by the stickiness `default`. */
  lists?: readonly string[]
  /** An ISO date-time. Default: the time of the world's clock. */
  currentTime?: string
  /** All other fields. */
  properties?: Readonly<Record<string, string>>
}

/** The value of a field of the context, or of a property with that name. */
export function contextValue(context: EvaluationContext, field: string): string | undefined {
  const own = Object.hasOwn(context, field) ? (context as Readonly<Record<string, unknown>>)[field] : undefined
  if (own !== undefined && own !== null && field !== 'properties' && field !== 'lists') return String(own)
  const { properties = {} } = context
  const value: unknown = Object.hasOwn(properties, field) ? properties[field] : undefined
  return value === undefined || value === null ? undefined : String(value)
}

/** Returns a random fraction, 0 ≤ x < 1, for contexts without a value for stickiness. */
export type Chance = () => number

/** The bucket of an id in a group, from 1 to `size`. */
export function bucketOf(id: string, groupId: string, size: number, budget: EvaluationBudget, seed = 0): number {
  budget.spend((groupId.length + id.length) / HASHED)
  return (murmur3(`${groupId}:${id}`, seed) % size) + 1
}

/** The ID that determines a rollout; undefined if the stickiness field is missing. */
export function rolloutId(stickiness: string, context: EvaluationContext, chance: Chance): string | undefined {
  if (stickiness === 'random') return randomId(chance)
  if (stickiness !== 'default') return contextValue(context, stickiness) || undefined
  return context.userId || context.sessionId || randomId(chance)
}

const VARIANT_FIELDS = ['userId', 'sessionId', 'remoteAddress'] as const

/** The ID that determines the variant. */
export function variantId(stickiness: string, context: EvaluationContext, chance: Chance): string {
  if (stickiness !== 'default') return contextValue(context, stickiness) || randomId(chance)
  const field = VARIANT_FIELDS.find((one) => context[one] && context.lists?.includes(one) !== true)
  return (field && context[field]) || randomId(chance)
}

function randomId(chance: Chance): string {
  return String(Math.floor(chance() * 100_000))
}
