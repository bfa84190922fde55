import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Frozen } from '../../support/freeze.js'
import type { Actor } from '../common.js'
import type { User, UserRecord } from './schema.js'

/** The picture of a user: the avatar service's URL for the SHA-256 of the e-mail, username or id. */
export function imageUrlOf(user: Pick<UserRecord, 'id' | 'email' | 'username'>): string {
  const digest = bytesToHex(sha256(utf8ToBytes(user.email || user.username || String(user.id))))
  return `https://gravatar.com/avatar/${digest}?s=42&d=retro&r=g`
}

/** A user in brief: as features show who made them. */
export function actorOf(user: Frozen<UserRecord>): Actor {
  return { id: user.id, name: user.name || user.email || user.username || String(user.id), imageUrl: imageUrlOf(user) }
}

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
