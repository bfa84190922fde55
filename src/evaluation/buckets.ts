import { murmur3 } from '../support/murmur.js'
import { contextValue, type EvaluationContext } from './context.js'

/** A fraction, 0 ≤ x < 1: the chance that decides for those whom nothing tells apart. */
export type Chance = () => number

/** The variants of a flag are spread by another seed than its rollout, so that the one does not follow from the other. */
const VARIANT_SEED = 86_028_157

/** The bucket of 100 that somebody falls into, 1 to 100. */
export function rolloutBucket(id: string, groupId: string): number {
  return bucket(id, groupId, 100, 0)
}

/** The place among so many that somebody falls on, from 1. */
export function variantBucket(id: string, groupId: string, size: number): number {
  return bucket(id, groupId, size, VARIANT_SEED)
}

function bucket(id: string, groupId: string, size: number, seed: number): number {
  return (murmur3(`${groupId}:${id}`, seed) % size) + 1
}

/** What a rollout tells people apart by; undefined where the field that it goes by is missing. */
export function rolloutId(stickiness: string, context: EvaluationContext, chance: Chance): string | undefined {
  if (stickiness === 'random') return anybody(chance)
  if (stickiness !== 'default') return contextValue(context, stickiness) || undefined
  return context.userId || context.sessionId || anybody(chance)
}

/** What variants tell people apart by. */
export function variantId(stickiness: string, context: EvaluationContext, chance: Chance): string {
  if (stickiness !== 'default') return contextValue(context, stickiness) || anybody(chance)
  return context.userId || context.sessionId || context.remoteAddress || anybody(chance)
}

function anybody(chance: Chance): string {
  return String(Math.floor(chance() * 100_000))
}
