import { logEvent } from '../events/rules.js'
import { hashPassword } from '../login/passwords.js'
import type { World } from '../world.js'
import { newUserId } from './lookup.js'
import { summarizeUser } from './present.js'
import type { UserRecord } from './schema.js'

/** Makes a user and logs that. Without a password they can't sign in yet. */
export function addUser(
  world: World,
  given: Pick<UserRecord, 'name' | 'email' | 'username' | 'rootRole'> & { password?: string | undefined },
): UserRecord {
  const { name, email, username, rootRole, password = '' } = given
  const user: UserRecord = {
    id: newUserId(world.tables),
    name,
    email,
    username,
    rootRole,
    accountType: 'User',
    loginAttempts: 0,
    seenAt: null,
    createdAt: world.now.toISOString(),
    scimId: null,
    passwordHash: password === '' ? null : hashPassword(password, world.ids.hex(8)),
    feedback: [],
    splash: {},
  }
  world.tables.users.insert(user)
  logEvent(world, { type: 'user-created', data: summarizeUser(user) })
  return user
}
