import type { Frozen } from '../../../support/freeze.js'
import type { Caller } from '../../shared/context.js'
import { presentSignedIn } from '../login/present.js'
import { presentBriefAccount } from '../users/present.js'
import type { UserRecord } from '../users/schema.js'

/** The calling user: with all details after a login, in brief for a personal token. */
export function presentMe(user: Frozen<UserRecord>, { login }: Caller) {
  return login === undefined ? presentBriefAccount(user) : presentSignedIn(user)
}
