import { badData, type Failure } from '../../contract/errors.js'
import type { Tables } from '../world.js'

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

/** The number of the next user: one more than the highest. */
export function newUserId(tables: Tables): number {
  return tables.users.list().reduce((highest, { id }) => Math.max(highest, id), 0) + 1
}
