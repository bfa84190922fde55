import { pbkdf2 } from '@noble/hashes/pbkdf2.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** Rounds of the hash: few, because these are only test passwords and a login should take a millisecond. */
const ROUNDS = 100

/** A password as it is stored: `pbkdf2$<salt>$<hash>`. With the salt, equal passwords have different hashes. */
export function hashPassword(password: string, salt: string): string {
  const hash = pbkdf2(sha256, utf8ToBytes(password), utf8ToBytes(salt), { c: ROUNDS, dkLen: 32 })
  return `pbkdf2$${salt}$${bytesToHex(hash)}`
}

/** Whether a password matches the stored hash. An empty one never does: a user without a password can't sign in. */
export function isPassword(password: string, hash: string | null): boolean {
  const salt = hash?.split('$')[1]
  return password !== '' && salt !== undefined && hashPassword(password, salt) === hash
}
