import { badData, type Failure } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, ok, type Result } from '../../../support/result.js'
import type { Caller } from '../../shared/context.js'
import type { UserRecord } from '../users/schema.js'

/** The user who calls; a refusal where an API token does, which is no user. */
export function callingUser({ user }: Caller): Result<Frozen<UserRecord>, Failure> {
  return user === undefined ? fail(notAUser) : ok(user)
}

const notAUser: Failure = {
  kind: 'notFound',
  message: 'This belongs to a user, and the caller is none: sign in, or send a personal access token.',
}

export const wrongOldPassword = badData('The old password is not the one that is kept.', '/body/oldPassword')

export const unequalPasswords = badData('The two new passwords differ.', '/body/confirmPassword')
