import type { Frozen } from '../../../support/freeze.js'
import type { UserRecord } from '../../people/users/schema.js'

/** Feedback prompts and, likewise, screens that are kept of a user. The oldest are dropped first. */
export const SCREENS_KEPT = 1000

/** The screens that a user has seen, with one more. */
export function withScreen(seen: Frozen<UserRecord>['splash'], id: string): UserRecord['splash'] {
  const others = Object.entries(seen).filter(([other]) => other !== id)
  return Object.fromEntries([...others, [id, true] as const].slice(-SCREENS_KEPT))
}
