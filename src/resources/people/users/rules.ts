import { sha256Hex } from '../../../support/digest.js'
import type { Frozen } from '../../../support/freeze.js'
import type { UserRecord } from './schema.js'

/** Hashing a name takes longer than the rest of an answer, and the same names come again and again. */
const avatars = new Map<string, string>()
const AVATARS_KEPT = 10_000

/** The avatar service's URL of the picture for a name, whatever its case. */
export function avatarOf(name: string): string {
  let url = avatars.get(name)
  if (url === undefined) {
    const digest = sha256Hex(name.toLowerCase())
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
