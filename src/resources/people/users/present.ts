import type { Shapes } from '../../../contract/profile.js'
import type { Frozen } from '../../../support/freeze.js'
import { imageUrlOf } from './rules.js'
import type { Account, BriefAccount, ListedUser, ManagedUser, User, UserRecord } from './schema.js'

/** A user with all of the document's fields. */
export function presentUser(user: Frozen<UserRecord>): User {
  return {
    id: user.id,
    isAPI: false,
    name: user.name,
    ...(user.email === null ? {} : { email: user.email }),
    username: user.username,
    imageUrl: imageUrlOf(user),
    inviteLink: '',
    loginAttempts: user.loginAttempts,
    emailSent: false,
    rootRole: user.rootRole,
    seenAt: user.seenAt,
    createdAt: user.createdAt,
    accountType: user.accountType,
    permissions: [],
    ...(user.scimId === null ? {} : { scimId: user.scimId }),
  }
}

/** A user in the fewest words: what is not known is left out. */
export function presentBriefAccount(user: Frozen<UserRecord>): BriefAccount {
  const { id, name, username, email, accountType, seenAt, loginAttempts, createdAt } = user
  return {
    accountType,
    id,
    ...(name === null ? {} : { name }),
    ...(username ? { username } : {}),
    ...(email === null ? {} : { email }),
    imageUrl: imageUrlOf(user),
    seenAt,
    loginAttempts,
    createdAt,
  }
}

/** A user as those see it who manage users. */
export function presentAccount(user: Frozen<UserRecord>): Account {
  return {
    ...presentBriefAccount(user),
    scimId: user.scimId,
    seatType: null,
    companyRole: null,
    productUpdatesEmailConsent: null,
  }
}

/** A user with the root role. */
export function presentManagedUser(user: Frozen<UserRecord>): ManagedUser {
  return { ...presentAccount(user), rootRole: user.rootRole }
}

/** Somebody who signed up, as they are answered to themselves. */
export const presentInvited: Readonly<Record<Shapes, (user: Frozen<UserRecord>) => unknown>> = {
  document: presentUser,
  service: (user) => ({ ...presentAccount(user), rootRole: user.rootRole }),
}

/** A user as the list of users shows them. */
export function presentListedUser(user: Frozen<UserRecord>): ListedUser {
  return { ...presentManagedUser(user), inviteLink: '' }
}

/** A user as events tell of them. */
export function summarizeUser({ id, name, username, email, rootRole }: Frozen<UserRecord>) {
  const named = { ...(username === null ? {} : { username }), ...(email === null ? {} : { email }) }
  return { id, ...(name === null ? {} : { name }), ...named, rootRole }
}
