import { badData, type Failure } from '../../../contract/errors.js'
import type { Profile } from '../../../contract/profile.js'
import { emailFault, hasReservedDomain, nameFault } from './rules.js'
import type { CreateInvitedUser } from './schema.js'

/** Rejects a user who signs up with an unacceptable e-mail or name. */
export function checkInvited({ email, name, username }: CreateInvitedUser, { users }: Profile): Failure | undefined {
  if (email === '' && !username) return badData('An e-mail or a username is required.', '/body/email')
  const isReserved = users.refusesReservedDomains && hasReservedDomain(email)
  const fault = emailFault(email) ?? (isReserved ? 'must have a public top-level domain' : undefined)
  if (fault !== undefined) return badData(`The e-mail ${JSON.stringify(email)} ${fault}.`, '/body/email')
  const unnamed = nameFault(name)
  return unnamed === undefined ? undefined : badData(`The name ${unnamed}.`, '/body/name')
}

/** A 400 because nobody can sign up with a token. */
export function unusableToken(secret: string): Failure {
  const message = `The signup token "${secret}" can't be used: it is unknown, disabled or expired.`
  return { kind: 'unusableToken', message, details: [{ message, path: '/params/token' }] }
}
