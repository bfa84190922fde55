import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Frozen } from '../../../support/freeze.js'
import type { Actor } from '../../shared/schema.js'
import type { UserRecord } from './schema.js'

/** Remembered by record, which never changes: a digest takes longer than all the rest of an answer. */
const pictures = new WeakMap<object, string>()

/** The picture of a user: the avatar service's URL for the SHA-256 of the e-mail, username or id. */
export function imageUrlOf(user: Frozen<Pick<UserRecord, 'id' | 'email' | 'username'>>): string {
  const known = pictures.get(user)
  if (known !== undefined) return known
  const url = avatarOf(user.email || user.username || String(user.id))
  pictures.set(user, url)
  return url
}

/** The avatar service's picture for somebody of this name, in whatever case. */
export function avatarOf(name: string): string {
  const digest = bytesToHex(sha256(utf8ToBytes(name.toLowerCase())))
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
