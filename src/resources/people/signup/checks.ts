import * as z from 'zod'
import { badData, type Failure } from '../../../contract/errors.js'
import type { Profile } from '../../../contract/profile.js'
import { ruledText } from '../../shared/rule.js'
import { isEmailAddress } from '../users/email.js'

const LONGEST = 255

/** Top-level domains that stand for nothing in public. */
const RESERVED = /\.(alt|corp|example|home|internal|invalid|lan|local|localdomain|localhost|onion|test)$/i

const tooLong = `must not be longer than ${LONGEST} characters`

/** Who signs up. That names and addresses are sound is a rule beyond their type. */
export const createInvitedUserSchema = z
  .strictObject({
    email: ruledText(emailFault).max(LONGEST, tooLong),
    name: ruledText(nameFault).max(LONGEST, tooLong),
    password: z.string(),
    username: z.string().max(LONGEST, tooLong).optional(),
  })
  .meta({ id: 'createInvitedUserSchema' })

/** A refusal if somebody can't sign up under what they say of themselves. */
export function checkInvited(
  { email, name, username }: z.infer<typeof createInvitedUserSchema>,
  profile: Profile,
): Failure | undefined {
  if (email === '' && !username) return badData('An e-mail or a username is needed.', '/body/email')
  const reserved = profile.users.refusesReservedDomains && RESERVED.test(email)
  const fault = emailFault(email) ?? (reserved ? 'must have a public top-level domain' : undefined)
  if (fault !== undefined) return badData(`The e-mail ${JSON.stringify(email)} ${fault}.`, '/body/email')
  const unnamed = nameFault(name)
  return unnamed === undefined ? undefined : badData(`The name ${unnamed}.`, '/body/name')
}

function emailFault(email: string): string | undefined {
  return email === '' || isEmailAddress(email)
    ? undefined
    : 'must be an e-mail address, or "" where a username is given'
}

function nameFault(name: string): string | undefined {
  return name === '' ? 'must not be empty' : undefined
}
