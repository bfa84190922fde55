import { badData, type Failure } from '../../contract/errors.js'
import type { Frozen } from '../../support/freeze.js'
import type { Tables } from '../world.js'
import type { UserRecord } from './schema.js'

/** A refusal if another user goes by the e-mail or the username already. */
export function takenLogin(
  tables: Tables,
  { email, username }: { email: string | null; username: string | null },
): Failure | undefined {
  if (email !== null && tables.users.count('email', email) > 0) {
    return badData(`A user with the e-mail "${email}" exists already.`, '/body/email')
  }
  if (username !== null && tables.users.count('username', username) > 0) {
    return badData(`A user with the username "${username}" exists already.`, '/body/username')
  }
  return undefined
}

/** The user that signs in by a username or an e-mail. */
export function findByLogin(tables: Tables, name: string): Frozen<UserRecord> | undefined {
  return tables.users.by('username', name)[0] ?? tables.users.by('email', name.toLowerCase())[0]
}

/** The number of the next user: one more than the highest. */
export function newUserId(tables: Tables): number {
  return tables.users.list().reduce((highest, { id }) => Math.max(highest, id), 0) + 1
}
