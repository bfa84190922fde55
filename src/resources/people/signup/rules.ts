import { isEmailAddress } from '../../../support/email.js'

/** Top-level domains that are reserved and don't exist in public. */
const RESERVED = /\.(alt|corp|example|home|internal|invalid|lan|local|localdomain|localhost|onion|test)$/i

/** What is wrong with an e-mail; undefined if nothing is. */
export function emailFault(email: string): string | undefined {
  return email === '' || isEmailAddress(email) ? undefined : 'must be an e-mail address, or "" if a username is given'
}

/** What is wrong with a name; undefined if nothing is. */
export function nameFault(name: string): string | undefined {
  return name === '' ? 'must not be empty' : undefined
}

export function hasReservedDomain(email: string): boolean {
  return RESERVED.test(email)
}
