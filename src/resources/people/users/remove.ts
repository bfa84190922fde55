import type { Frozen } from '../../../support/freeze.js'
import { favoriteKey } from '../../flags/favorites/rules.js'
import { logEvent } from '../../instance/events/actions.js'
import type { OperationContext } from '../../shared/context.js'
import { signOutEverywhere } from '../login/actions.js'
import { summarizeUser } from './present.js'
import type { UserRecord } from './schema.js'

/**
 * Removes a user and all that points at them: logins, personal tokens, roles in projects, favourites, places
 * in signup tokens.
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
  logEvent(context, { type: 'user-deleted', data: null, preData: summarizeUser(user) })
}
