import type { Failure } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import type { UserRecord } from '../users/schema.js'
import { wasUsed } from './rules.js'

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

/** Rejects a password that the user has or had. */
export function checkUnused(password: string, user: Frozen<UserRecord>): Failure | undefined {
  if (!wasUsed(password, user)) return undefined
  const message = 'The user has had this password before. Choose another one.'
  return { kind: 'usedPassword', message, details: [{ message, path: '/body/password' }] }
}

/** Rejects a password that is too weak, with every reason. */
export function checkStrength(password: string): Failure | undefined {
  if (password === '') return { kind: 'noPassword', message: 'A password is required.' }
  const faults = requirements.filter(({ holds }) => !holds(password)).map(({ fault }) => fault)
  const [first] = faults
  if (first === undefined) return undefined
  return {
    kind: 'weakPassword',
    message: first,
    details: faults.map((message) => ({ message, path: '/body/password' })),
  }
}
