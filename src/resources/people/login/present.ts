import type { Frozen } from '../../../support/freeze.js'
import { presentAccount } from '../users/present.js'
import type { UserRecord } from '../users/schema.js'
import type { SignedIn } from './schema.js'

/** The service names how many logins a user may have at once, not how many there are. */
const LOGINS_ALLOWED = 5

/** A user who has signed in. */
export function presentSignedIn(user: Frozen<UserRecord>): SignedIn {
  return { ...presentAccount(user), deletedSessions: 0, activeSessions: LOGINS_ALLOWED }
}
