import { hasCome, intoCalendar, MINUTE } from '../../../support/calendar.js'
import type { Frozen } from '../../../support/freeze.js'
import { reject } from '../../contract/errors.js'
import type { Profile } from '../../contract/profile.js'
import type { AtATime, OperationContext, Tables } from '../shared/context.js'
import { makeRoom } from '../shared/lookup.js'
import { toInstant } from '../shared/schema.js'
import {
  LINK_LASTS,
  LINKS_KEPT,
  type LinkedPage,
  LOGINS_KEPT,
  type LoginRecord,
  linkTo,
  type ResetTokenRecord,
  type SignedIn,
} from './login.js'
import type { StoredUser } from './users.js'

/** The token of a reset link, if it is still valid. */
export function findResetToken(tables: Tables, secret: string, now: Date): Frozen<ResetTokenRecord> | undefined {
  const token = tables.resetTokens.get(secret)
  return token === undefined || hasCome(token.expiresAt, now) ? undefined : token
}

/** The token with which a user can choose a password now. */
export function findResetLink(userId: number, { tables, now }: AtATime): Frozen<ResetTokenRecord> | undefined {
  return tables.resetTokens.by('user', userId).find((token) => !hasCome(token.expiresAt, now))
}

/** Creates a link to a page where a user chooses a password. Earlier links of that user become invalid. */
export function createResetLink(user: StoredUser, page: LinkedPage, context: OperationContext): string {
  const { tables, caller, now, ids } = context
  removeResetLinks(tables, user.id)
  makeRoom(tables.resetTokens, LINKS_KEPT, (link) => hasCome(link.expiresAt, now))
  const secret = ids.hex(32)
  const link = {
    secret,
    userId: user.id,
    createdBy: caller.username,
    createdAt: toInstant(now),
    expiresAt: toInstant(intoCalendar(now.getTime() + LINK_LASTS)),
  }
  tables.resetTokens.insert(link)
  return linkTo(page, link, context)
}

/** The same for a link to a new password that is mailed. The service sends a user at most one a minute. */
export function mailResetLink(
  user: StoredUser,
  context: OperationContext,
  { users: { oneResetMailAMinute } }: Pick<Profile, 'users'>,
): string {
  const { tables, now } = context
  const { resetAskedAt } = user
  if (!oneResetMailAMinute) return createResetLink(user, 'reset-password', context)
  if (resetAskedAt !== undefined && now.getTime() - Date.parse(resetAskedAt) < MINUTE) {
    const message = 'A user can be mailed one link to a new password a minute. Wait a little.'
    reject({ kind: 'tooSoon', message })
  }
  tables.users.replace({ ...user, resetAskedAt: toInstant(now) })
  return createResetLink(user, 'reset-password', context)
}

/** Signs a user in. */
export function addLogin(
  userId: number,
  { tables, now, ids }: Pick<OperationContext, 'tables' | 'now' | 'ids'>,
): LoginRecord {
  makeRoom(tables.logins, LOGINS_KEPT)
  let secret: string
  // Each world makes the same secrets from a seed, and logins of other worlds are valid here, too.
  do secret = ids.hex(32)
  while (tables.logins.has(secret))
  const login = { secret, userId, createdAt: toInstant(now) }
  tables.logins.insert(login)
  return login
}

/** Whether two users with the same id are the same person: they have a name in common. */
export function isSamePerson(one: PersonsNames, other: PersonsNames): boolean {
  return (['email', 'username', 'name'] as const).some((field) => one[field] !== null && one[field] === other[field])
}

type PersonsNames = Pick<SignedIn['user'], 'name' | 'email' | 'username'>

/** The user who is the same person as one of another world: with the same name, if possible with the same id. */
function findSame(tables: Tables, { id, name, email, username }: SignedIn['user']): StoredUser | undefined {
  const user = tables.users.get(id)
  if (user !== undefined && isSamePerson(user, { name, email, username })) return user
  const [named] = username === null ? [] : tables.users.by('username', username)
  return named ?? (email === null ? undefined : tables.users.by('email', email.toLowerCase())[0])
}

/** Has somebody who signed in elsewhere stay signed in here, if their user exists. */
export function keepLogin({ secret, user }: SignedIn, tables: Tables, now: Date): void {
  const own = findSame(tables, user)
  if (own === undefined || tables.logins.has(secret)) return
  makeRoom(tables.logins, LOGINS_KEPT)
  tables.logins.insert({ secret, userId: own.id, createdAt: toInstant(now) })
}

/** Ends the login that a request was sent with. */
export function signOut({ tables, caller }: OperationContext): void {
  if (caller.login !== undefined) tables.logins.remove(caller.login)
}

/** Ends all logins of a user, or all but one, and makes their links to choose a password invalid. */
export function signOutEverywhere(tables: Tables, userId: number, except?: string): void {
  removeLogins(tables, userId, except)
  removeResetLinks(tables, userId)
}

/** Ends all logins of a user, or all but one. */
export function removeLogins(tables: Tables, userId: number, except?: string): void {
  for (const { secret } of tables.logins.by('user', userId)) if (secret !== except) tables.logins.remove(secret)
}

function removeResetLinks(tables: Tables, userId: number): void {
  for (const { secret } of tables.resetTokens.by('user', userId)) tables.resetTokens.remove(secret)
}
