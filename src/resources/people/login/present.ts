import type { Frozen } from '../../../support/freeze.js'
import { presentAccount } from '../users/present.js'
import type { UserRecord } from '../users/schema.js'
import type { SignedIn } from './schema.js'

/** `activeSessions` is the number of logins that a user may have at once, not the number of current ones. */
const LOGINS_ALLOWED = 5

/** A user who has just signed in. */
export function presentSignedIn(user: Frozen<UserRecord>): SignedIn {
  return { ...presentAccount(user), deletedSessions: 0, activeSessions: LOGINS_ALLOWED }
}
