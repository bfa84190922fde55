import * as z from 'zod'
import type { Ids } from '../../support/ids.js'
import { type Actor, fixtureInstant } from './schema.js'

/** What the completion of a fixture may ask: the time and chance of its world, and the records it stands among. */
export interface FixtureContext {
  now: Date
  ids: Ids
  /** The environments of a project, in order; none for an unknown project. */
  environmentsOf(project: string): readonly string[]
  /** A user in brief; a made-up name for an unknown one. */
  actorOf(userId: number): Actor
  /** The ids of a user and of a role by name; 0, which nobody has, for an unknown one. */
  userNamed(name: string): number
  roleNamed(name: string): number
}

/** The instant that a fixture gives, or else another one. */
export function instantOr<Other extends string | null>(
  given: string | null | undefined,
  other: Other,
  { now }: FixtureContext,
): string | Other {
  return given === undefined || given === null ? other : fixtureInstant(given, now)
}

/** A field that answers show and the model works out: a fixture may hold it, and it is left aside. */
export const derived = z.unknown().optional()
