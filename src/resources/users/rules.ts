import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Frozen } from '../../support/freeze.js'
import type { Actor } from '../common.js'
import type { UserRecord } from './schema.js'

/** The picture of a user: the avatar service's URL for the SHA-256 of the e-mail, username or id. */
export function imageUrlOf(user: Pick<UserRecord, 'id' | 'email' | 'username'>): string {
  const digest = bytesToHex(sha256(utf8ToBytes(user.email || user.username || String(user.id))))
  return `https://gravatar.com/avatar/${digest}?s=42&d=retro&r=g`
}

/** What a user is known by: as events and tokens name their maker. */
export function loginNameOf({ id, email, username }: Pick<UserRecord, 'id' | 'email' | 'username'>): string {
  return email ?? username ?? String(id)
}

/** A user in brief: as features show who made them. */
export function actorOf(user: Frozen<UserRecord>): Actor {
  return { id: user.id, name: user.name || user.email || user.username || String(user.id), imageUrl: imageUrlOf(user) }
}
