import { isEmailAddress } from '../../../support/text.js'
import { badData, type Failure } from '../../contract/errors.js'
import type { Profile } from '../../contract/profile.js'
import { ruledText } from '../shared/schema.js'

const LONGEST = 254

/** The error of an email address; undefined if it is valid or empty. */
function emailFault(email: string): string | undefined {
  if (email.length > LONGEST) return `must not be longer than ${LONGEST} characters`
  return email === '' || isEmailAddress(email) ? undefined : 'must be an e-mail address'
}

/** An email address; an empty one means none. */
export const emailAddressSchema = ruledText(emailFault).meta({ maxLength: LONGEST })

/** The top-level domains that are reserved for tests and for private networks. */
const RESERVED = /\.(test|example|invalid|localhost|localdomain|local|internal|intranet|private|corp|home|lan)$/i

/** Fails if a user can't have this email address. */
export function checkEmail(email: string, { users }: Profile): Failure | undefined {
  const isRejected = users.rejectsReservedDomains && RESERVED.test(email)
  const fault = emailFault(email) ?? (isRejected ? 'must have a public top-level domain' : undefined)
  return fault === undefined
    ? undefined
    : badData(`The value ${JSON.stringify(email)} of the e-mail ${fault}.`, '/body/email')
}
