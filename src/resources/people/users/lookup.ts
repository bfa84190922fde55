import { badData, type Failure, notFound } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, ok, type Result } from '../../../support/result.js'
import type { Tables } from '../../shared/context.js'
import type { UserRecord } from './schema.js'

/** The user that a path names by the id. */
export function findUser(tables: Tables, id: string): Result<Frozen<UserRecord>, Failure> {
  const user = /^\d+$/.test(id) ? tables.users.get(Number(id)) : undefined
  return user === undefined ? fail(notFound(`There is no user with the id "${id}".`)) : ok(user)
}

/** The user who is meant by an e-mail address, or by the id. */
export function findAddressee(tables: Tables, given: number | string): Result<Frozen<UserRecord>, Failure> {
  const [user] = tables.users.by('email', String(given).toLowerCase())
  return user === undefined ? findUser(tables, String(given)) : ok(user)
}

/** A refusal if another user goes by the e-mail or the username already. */
export function takenLogin(
  tables: Tables,
  { email, username }: { email: string | null; username: string | null },
  except?: number,
): Failure | undefined {
  const isTaken = (index: 'email' | 'username', value: string | null) =>
    value && tables.users.by(index, value).some(({ id }) => id !== except)
  if (isTaken('email', email)) {
    return badData(`A user with the e-mail "${email}" exists already.`, '/body/email')
  }
  if (isTaken('username', username)) {
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
