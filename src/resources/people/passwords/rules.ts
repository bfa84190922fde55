import { pbkdf2 } from '@noble/hashes/pbkdf2.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Frozen } from '../../../support/freeze.js'
import type { UserRecord } from '../users/schema.js'

/** Rounds of the hash: few, because these are only test passwords and a login should take a millisecond. */
const ROUNDS = 100

/** A password as it is stored: `pbkdf2$<salt>$<hash>`. With the salt, equal passwords have different hashes. */
export function hashPassword(password: string, salt: string): string {
  const hash = pbkdf2(sha256, utf8ToBytes(password), utf8ToBytes(salt), { c: ROUNDS, dkLen: 32 })
  return `pbkdf2$${salt}$${bytesToHex(hash)}`
}

/** Earlier passwords that are remembered besides the current one. */
const REMEMBERED = 4

/** A user with a new password. The one so far is remembered. */
export function withPassword(user: Frozen<UserRecord>, password: string, salt: string): Frozen<UserRecord> {
  const earlier = [...(user.passwordHash === null ? [] : [user.passwordHash]), ...(user.earlierPasswords ?? [])]
  return {
    ...user,
    passwordHash: hashPassword(password, salt),
    ...(earlier.length === 0 ? {} : { earlierPasswords: earlier.slice(0, REMEMBERED) }),
  }
}

/** Whether a password is or was one of the user's last ones. */
export function wasUsed(password: string, { passwordHash, earlierPasswords = [] }: Frozen<UserRecord>): boolean {
  return [passwordHash, ...earlierPasswords].some((hash) => isPassword(password, hash))
}

/** Whether a password matches the stored hash. An empty one never does: a user without a password can't sign in. */
export function isPassword(password: string, hash: string | null): boolean {
  const salt = hash?.split('$')[1]
  return password !== '' && salt !== undefined && hashPassword(password, salt) === hash
}
