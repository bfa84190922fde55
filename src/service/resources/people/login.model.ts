import { intoCalendar, isPast, MINUTE } from '../../../support/calendar.js'
import type { Frozen } from '../../../support/freeze.js'
import { reject } from '../../contract/errors.js'
import type { Profile } from '../../contract/profile.js'
import type { AtATime, OperationContext, Tables } from '../shared/context.js'
import { evictOldest } from '../shared/lookup.js'
import { toInstant } from '../shared/schema.js'
import {
  LINK_LASTS,
  LINKS_KEPT,
  type LinkedPage,
  LOGINS_ALLOWED,
  linkTo,
  type Person,
  type ResetTokenRecord,
  SIGNED_OUT,
  type SignedIn,
} from './login.js'
import type { StoredUser } from './users.js'

/** The token of a reset link, if it is still valid. */
export function findResetToken(tables: Tables, secret: string, now: Date): Frozen<ResetTokenRecord> | undefined {
  const token = tables.resetTokens.get(secret)
  return token === undefined || isPast(token.expiresAt, now) ? undefined : token
}

/** The token with which a user can set a password now. */
export function findResetLink(userId: number, { tables, now }: AtATime): Frozen<ResetTokenRecord> | undefined {
  return tables.resetTokens.by('user', userId).find((token) => !isPast(token.expiresAt, now))
}

/** Creates a link to a page where a user sets a password. It invalidates the user's earlier links. */
export function createResetLink(user: StoredUser, page: LinkedPage, context: OperationContext): string {
  const { tables, caller, now, ids } = context
  removeResetLinks(tables, user.id)
  evictOldest(tables.resetTokens, LINKS_KEPT, (link) => isPast(link.expiresAt, now))
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

/** Creates a reset link and mails it. Unleash sends a user at most one mail a minute. */
export function mailResetLink(
  user: StoredUser,
  context: OperationContext,
  { users: { oneResetMailAMinute } }: Pick<Profile, 'users'>,
): string {
  const { tables, now } = context
  const { resetAskedAt } = user
  if (!oneResetMailAMinute) return createResetLink(user, 'reset-password', context)
  if (resetAskedAt !== undefined && now.getTime() - Date.parse(resetAskedAt) < MINUTE) {
    const message = 'A user can get one password reset mail a minute. Wait a little.'
    reject({ kind: 'tooSoon', message })
  }
  tables.users.replace({ ...user, resetAskedAt: toInstant(now) })
  return createResetLink(user, 'reset-password', context)
}

/** Signs a user in with a password, and so ends logins beyond the maximum. */
export function beginLogin(user: StoredUser, context: OperationContext): SignedIn {
  const { tables, logins } = context
  const earlier = logins.of(user.id).filter((login) => findPerson(tables, login.user)?.id === user.id)
  const ended = earlier.slice(0, 1 - LOGINS_ALLOWED)
  for (const { secret } of ended) logins.end(secret, `its user has signed in ${LOGINS_ALLOWED} times since`)
  const login = { seenAt: user.seenAt, deletedSessions: ended.length }
  return { ...login, secret: addLogin(user, context, login), user: personOf(user) }
}

/**
 * Signs a user in. Returns the secret of the login. From a seed, each world generates the same secrets, so the secret can
 * be in use.
 */
export function addLogin(
  user: StoredUser,
  { logins, ids }: Pick<OperationContext, 'logins' | 'ids'>,
  more: Partial<SignedIn> = {},
): string {
  let secret: string
  do secret = ids.hex(32)
  while (logins.get(secret) !== undefined)
  logins.begin({ ...more, secret, user: personOf(user) })
  return secret
}

function personOf({ id, name, email, username }: StoredUser): Person {
  return { id, name, email, username }
}

/** The same user in another world: by the same ID with a common name, or else by the same username or email address. */
export function findPerson(tables: Tables, { id, name, email, username }: Person): StoredUser | undefined {
  const user = tables.users.get(id)
  const isSame = (one: unknown, other: unknown) => one !== null && one === other
  if (user && (isSame(user.email, email) || isSame(user.username, username) || isSame(user.name, name))) return user
  const [named] = username === null ? [] : tables.users.by('username', username)
  return named ?? (email === null ? undefined : tables.users.by('email', email.toLowerCase())[0])
}

/** Ends the login of the request. */
export function signOut({ logins, caller }: OperationContext): void {
  if (caller.login !== undefined) logins.end(caller.login, SIGNED_OUT)
}

/** Ends all logins of a user, or all but one, and invalidates their password links. */
export function signOutEverywhere(context: OperationContext, userId: number, except?: string): void {
  removeLogins(context, userId, except)
  removeResetLinks(context.tables, userId)
}

/** Ends all logins of a user, or all but one. */
export function removeLogins({ logins, tables }: OperationContext, userId: number, except?: string): void {
  logins.change(({ secret, user }) => (secret !== except && findPerson(tables, user)?.id === userId ? undefined : user))
}

/** Keeps users signed in when their names change. */
export function renameLogins(
  { logins }: Pick<OperationContext, 'logins'>,
  before: StoredUser,
  after: StoredUser,
): void {
  const names = ({ id, name, email, username }: Person) => JSON.stringify([id, name, email, username])
  logins.change(({ user }) => (names(user) === names(before) ? personOf(after) : user))
}

export function removeResetLinks(tables: Tables, userId: number): void {
  for (const { secret } of tables.resetTokens.by('user', userId)) tables.resetTokens.remove(secret)
}
