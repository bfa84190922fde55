import type { Frozen } from '../../../support/freeze.js'
import { favoriteKey } from '../../flags/favorites/rules.js'
import { logEvent } from '../../instance/events/actions.js'
import type { OperationContext } from '../../shared/context.js'
import { toInstant } from '../../shared/schema.js'
import { nextId, retireId } from '../../shared/sequences/table.js'
import { signOutEverywhere } from '../login/actions.js'
import { hashPassword } from '../passwords/rules.js'
import { summarizeUser } from './present.js'
import type { UserRecord } from './schema.js'

/** Creates a user and logs it. Without a password, the user can't sign in yet. */
export function addUser(
  context: OperationContext,
  given: Pick<UserRecord, 'name' | 'email' | 'username' | 'rootRole'> & { password?: string | undefined },
): UserRecord {
  const { name, email, username, rootRole, password = '' } = given
  const user: UserRecord = {
    id: nextId(context.tables, 'users'),
    name,
    email,
    username,
    rootRole,
    accountType: 'User',
    loginAttempts: 0,
    seenAt: null,
    createdAt: toInstant(context.now),
    scimId: null,
    passwordHash: password === '' ? null : hashPassword(password, context.ids.hex(8)),
    feedback: [],
    splash: {},
  }
  context.tables.users.insert(user)
  logEvent(context, { type: 'user-created', data: summarizeUser(user) })
  return user
}

/**
 * Removes a user and everything that refers to them: logins, personal tokens, roles in projects, favorites, entries in
 * signup tokens.
 */
export function removeUser(context: OperationContext, user: Frozen<UserRecord>): void {
  const { tables } = context
  const isOther = ({ id }: { id: number }) => id !== user.id
  signOutEverywhere(tables, user.id)
  for (const { secret } of tables.apiTokens.by('user', user.id)) tables.apiTokens.remove(secret)
  for (const project of tables.projects.list()) {
    const members = project.members.filter(isOther)
    if (members.length < project.members.length) tables.projects.replace({ ...project, members })
  }
  for (const token of tables.signupTokens.list()) {
    const users = token.users.filter(isOther)
    if (users.length < token.users.length) tables.signupTokens.replace({ ...token, users })
  }
  for (const favorite of tables.favorites.list()) {
    if (favorite.userId === user.id) tables.favorites.remove(favoriteKey(favorite))
  }
  tables.users.remove(user.id)
  retireId(tables, 'users', user.id)
  logEvent(context, { type: 'user-deleted', data: null, preData: summarizeUser(user) })
}
