import type { Frozen } from '../../../support/freeze.js'
import type { Actor } from '../../shared/schema.js'
import { avatarOf, displayNameOf } from './rules.js'
import type { Account, BriefAccount, Candidate, ManagedUser, User, UserRecord } from './schema.js'

/** The URL of a user's picture. */
export function imageUrlOf({ email, username, id }: Frozen<UserRecord>): string {
  return avatarOf(email || username || String(id))
}

/** A user as the creator of a feature. */
export function actorOf(user: Frozen<UserRecord>): Actor {
  return { id: user.id, name: displayNameOf(user), imageUrl: imageUrlOf(user) }
}

/** A user with all fields of the document. */
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

/** A user in brief, without the fields that are null. */
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

/** A user as shown after a login. */
export function presentAccount(user: Frozen<UserRecord>): Account {
  return {
    ...presentBriefAccount(user),
    scimId: user.scimId,
    seatType: null,
    companyRole: null,
    productUpdatesEmailConsent: null,
  }
}

/** A user as user administration shows them: with the root role. */
export function presentManagedUser(user: Frozen<UserRecord>): ManagedUser {
  return { ...presentAccount(user), rootRole: user.rootRole }
}

/** A user who can be given access. */
export function presentCandidate(user: Frozen<UserRecord>): Candidate {
  const { id, name, username, email, accountType } = presentBriefAccount(user)
  return { id, name, username, email, accountType }
}

/** A user as recorded in events. */
export function summarizeUser({ id, name, username, email, rootRole }: Frozen<UserRecord>) {
  const named = { ...(username === null ? {} : { username }), ...(email === null ? {} : { email }) }
  return { id, ...(name === null ? {} : { name }), ...named, rootRole }
}
