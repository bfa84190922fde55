import { pbkdf2 } from '@noble/hashes/pbkdf2.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { type Failure, failureAt } from '../../contract/errors.js'
import type { Profile } from '../../contract/profile.js'

/** The rounds of the hash: few, because these are only test passwords and a login should take a millisecond. */
const ROUNDS = 100

/** A password as stored: `pbkdf2$<salt>$<hash>`. With the salt, equal passwords have different hashes. */
export function hashPassword(password: string, salt: string): string {
  const hash = pbkdf2(sha256, utf8ToBytes(password), utf8ToBytes(salt), { c: ROUNDS, dkLen: 32 })
  return `pbkdf2$${salt}$${bytesToHex(hash)}`
}

/** The owner of a password: the hashes of the current and the earlier passwords, newest first. */
interface Hashes {
  readonly passwordHash: string | null
  readonly earlierPasswords?: readonly string[] | undefined
}

/** Whether a password matches the stored hash. An empty password never does: a user without a password can't sign in. */
export function isPassword(password: string, hash: string | null): boolean {
  const salt = hash?.split('$')[1]
  return password !== '' && salt !== undefined && hashPassword(password, salt) === hash
}

/** The password of the built-in users. */
const OWN_PASSWORD = 'flagdouble'

/** Whether a password belongs to a user. */
export function isPasswordOf(
  { username, passwordHash }: { readonly username: string | null; readonly passwordHash: string | null },
  password: string,
  { users: { defaultLogin } }: Pick<Profile, 'users'>,
): boolean {
  if (isPassword(password, passwordHash)) return true
  const isDefault = username === defaultLogin?.username && password === defaultLogin.password
  return isDefault && isPassword(OWN_PASSWORD, passwordHash)
}

/** The requirements for a password, in the words of the OWASP strength test for Node. */
const requirements: readonly { holds: (password: string) => boolean; fault: string }[] = [
  { holds: (password) => password.length >= 10, fault: 'The password must be at least 10 characters long.' },
  { holds: (password) => password.length <= 128, fault: 'The password must be fewer than 128 characters.' },
  {
    holds: (password) => !/(.)\1{2,}/.test(password),
    fault: 'The password may not contain sequences of three or more repeated characters.',
  },
  { holds: (password) => /[a-z]/.test(password), fault: 'The password must contain at least one lowercase letter.' },
  { holds: (password) => /[A-Z]/.test(password), fault: 'The password must contain at least one uppercase letter.' },
  { holds: (password) => /[0-9]/.test(password), fault: 'The password must contain at least one number.' },
  {
    holds: (password) => /[^A-Za-z0-9]/.test(password),
    fault: 'The password must contain at least one special character.',
  },
]

/** Fails if the user has, or had, this password. */
export function checkUnused(password: string, { passwordHash, earlierPasswords = [] }: Hashes): Failure | undefined {
  const wasUsed = [passwordHash, ...earlierPasswords].some((hash) => isPassword(password, hash))
  const message = 'The user has had this password before. Choose another one.'
  return wasUsed ? failureAt('usedPassword', message, '/body/password') : undefined
}

/** Fails if a password is too weak, with every reason. */
export function checkStrength(password: string): Failure | undefined {
  if (password === '') return { kind: 'noPassword', message: 'A password is required.' }
  const faults = requirements.filter(({ holds }) => !holds(password)).map(({ fault }) => fault)
  const [first] = faults
  if (first === undefined) return undefined
  const details = faults.map((message) => ({ message, path: '/body/password' }))
  return { kind: 'weakPassword', message: first, details }
}
