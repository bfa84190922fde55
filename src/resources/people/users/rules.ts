import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Frozen } from '../../../support/freeze.js'
import type { UserRecord } from './schema.js'

/** The avatar service's URL of the picture for a name, whatever its case. */
export function avatarOf(name: string): string {
  const digest = bytesToHex(sha256(utf8ToBytes(name.toLowerCase())))
  return `https://gravatar.com/avatar/${digest}?s=42&d=retro&r=g`
}

/** The name under which events and tokens show their creator. */
export function loginNameOf({ id, email, username }: Pick<UserRecord, 'id' | 'email' | 'username'>): string {
  return email ?? username ?? String(id)
}

/** The name under which features show their creator. */
export function displayNameOf({ id, name, email, username }: Frozen<UserRecord>): string {
  return name || email || username || String(id)
}
