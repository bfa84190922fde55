import { pbkdf2 } from '@noble/hashes/pbkdf2.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Failure } from '../../../contract/errors.js'

/** Rounds of the hash. Few, because they are only test passwords, and a login should take a millisecond. */
const ROUNDS = 100

/** A password in the form in which it is kept: `pbkdf2$<salt>$<hash>`. The salt keeps equal passwords apart. */
export function hashPassword(password: string, salt: string): string {
  const hash = pbkdf2(sha256, utf8ToBytes(password), utf8ToBytes(salt), { c: ROUNDS, dkLen: 32 })
  return `pbkdf2$${salt}$${bytesToHex(hash)}`
}

/** Whether a password is the one that was kept. An empty one never is: who has none can't sign in. */
export function isPassword(password: string, kept: string | null): boolean {
  const salt = kept?.split('$')[1]
  return password !== '' && salt !== undefined && hashPassword(password, salt) === kept
}

/** What a password must have, and how to say that it lacks it: in the words of the OWASP strength test for Node. */
const demands: readonly { holds: (password: string) => boolean; fault: string }[] = [
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

/** A refusal of a password that is too weak, with every reason why. */
export function checkStrength(password: string): Failure | undefined {
  if (password === '') return { kind: 'noPassword', message: 'A password is needed.' }
  const faults = passwordFaults(password)
  const [first] = faults
  if (first === undefined) return undefined
  return {
    kind: 'weakPassword',
    message: first,
    details: faults.map((message) => ({ message, path: '/body/password' })),
  }
}

/** Everything that makes a password too weak; empty for a strong one. */
function passwordFaults(password: string): string[] {
  return demands.filter(({ holds }) => !holds(password)).map(({ fault }) => fault)
}
