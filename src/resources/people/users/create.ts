import { logEvent } from '../../instance/events/actions.js'
import type { OperationContext } from '../../shared/context.js'
import { hashPassword } from '../passwords/rules.js'
import { newUserId } from './lookup.js'
import { summarizeUser } from './present.js'
import type { UserRecord } from './schema.js'

/** Makes a user and logs that. Without a password they can't sign in yet. */
export function addUser(
  context: OperationContext,
  given: Pick<UserRecord, 'name' | 'email' | 'username' | 'rootRole'> & { password?: string | undefined },
): UserRecord {
  const { name, email, username, rootRole, password = '' } = given
  const user: UserRecord = {
    id: newUserId(context.tables),
    name,
    email,
    username,
    rootRole,
    accountType: 'User',
    loginAttempts: 0,
    seenAt: null,
    createdAt: context.now.toISOString(),
    scimId: null,
    passwordHash: password === '' ? null : hashPassword(password, context.ids.hex(8)),
    feedback: [],
    splash: {},
  }
  context.tables.users.insert(user)
  logEvent(context, { type: 'user-created', data: summarizeUser(user) })
  return user
}
