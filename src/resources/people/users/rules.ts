import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Frozen } from '../../../support/freeze.js'
import type { UserRecord } from './schema.js'

/** Hashing a name takes as long as the rest of a small write, and the same few people write. */
const avatars = new Map<string, string>()
const AVATARS_KEPT = 100

/** The avatar service's URL of the picture for a name, whatever its case. */
export function avatarOf(name: string): string {
  let url = avatars.get(name)
  if (url === undefined) {
    const digest = bytesToHex(sha256(utf8ToBytes(name.toLowerCase())))
    url = `https://gravatar.com/avatar/${digest}?s=42&d=retro&r=g`
    if (avatars.size === AVATARS_KEPT) avatars.clear()
    avatars.set(name, url)
  }
  return url
}

/** The name under which events and tokens show their creator. */
export function loginNameOf({ id, email, username }: Pick<UserRecord, 'id' | 'email' | 'username'>): string {
  return email ?? username ?? String(id)
}

/** The name under which features show their creator. */
export function displayNameOf({ id, name, email, username }: Frozen<UserRecord>): string {
  return name || email || username || String(id)
}
