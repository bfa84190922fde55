import { intoCalendar } from '../../../support/calendar.js'
import type { Frozen } from '../../../support/freeze.js'
import { makeRoom } from '../../shared/actions.js'
import type { OperationContext, Tables } from '../../shared/context.js'
import { toInstant } from '../../shared/schema.js'
import type { UserRecord } from '../users/schema.js'
import { hasExpired, isOver, LINK_LASTS, LINKS_KEPT, type LinkedPage, LOGINS_KEPT, linkTo } from './rules.js'
import type { LoginRecord } from './schema.js'

/** Creates a link to a page where a user chooses a password. Earlier links of that user become invalid. */
export function createResetLink(user: Frozen<UserRecord>, page: LinkedPage, context: OperationContext): string {
  const { tables, caller, now, ids } = context
  removeResetLinks(tables, user.id)
  makeRoom(tables.resetTokens, LINKS_KEPT, (link) => hasExpired(link, now))
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

/** Signs a user in. Logins that are over are removed. */
export function addLogin(userId: number, { tables, now, ids }: OperationContext): LoginRecord {
  makeRoom(tables.logins, LOGINS_KEPT, (login) => isOver(login, now))
  const login = { secret: ids.hex(32), userId, createdAt: toInstant(now) }
  tables.logins.insert(login)
  return login
}

/** Ends the login that a request was sent with. */
export function signOut({ tables, caller }: OperationContext): void {
  if (caller.login !== undefined) tables.logins.remove(caller.login)
}

/** Ends all logins of a user, and makes their links to choose a password invalid. */
export function signOutEverywhere(tables: Tables, userId: number): void {
  removeLogins(tables, userId)
  removeResetLinks(tables, userId)
}

export function removeLogins(tables: Tables, userId: number): void {
  for (const { secret } of tables.logins.by('user', userId)) tables.logins.remove(secret)
}

function removeResetLinks(tables: Tables, userId: number): void {
  for (const { secret } of tables.resetTokens.by('user', userId)) tables.resetTokens.remove(secret)
}
