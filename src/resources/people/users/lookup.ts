import { type Failure, notFound } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, ok, type Result } from '../../../support/result.js'
import type { Tables } from '../../shared/context.js'
import type { UserRecord } from './schema.js'

/** The user with the id that a path names. */
export function findUser(tables: Tables, id: string): Result<Frozen<UserRecord>, Failure> {
  const user = /^\d+$/.test(id) ? tables.users.get(Number(id)) : undefined
  return user === undefined ? fail(notFound(`There is no user with the id "${id}".`)) : ok(user)
}

/** The user with this e-mail address or this id. */
export function findAddressee(tables: Tables, given: number | string): Result<Frozen<UserRecord>, Failure> {
  const [user] = tables.users.by('email', String(given).toLowerCase())
  return user === undefined ? findUser(tables, String(given)) : ok(user)
}

/** The user who signs in with this username or e-mail. */
export function findByLogin(tables: Tables, name: string): Frozen<UserRecord> | undefined {
  return tables.users.by('username', name)[0] ?? tables.users.by('email', name.toLowerCase())[0]
}
