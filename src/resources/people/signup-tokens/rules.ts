import type { Profile } from '../../../contract/profile.js'
import { DAY } from '../../../support/duration.js'
import type { Frozen } from '../../../support/freeze.js'
import type { PublicSignupTokenUpdate, SignupTokenRecord } from './schema.js'

type Stored = Frozen<SignupTokenRecord>

/** Whether a token has expired. It expires at the instant of `expiresAt`. */
export function hasExpired(token: Pick<Stored, 'expiresAt'>, now: Date): boolean {
  return Date.parse(token.expiresAt) <= now.getTime()
}

/** Whether a user can sign up with a token now. */
export function isUsable(token: Stored, now: Date, until: Profile['signupTokens']['usableUntil']): boolean {
  const end = Date.parse(token.expiresAt)
  return token.enabled && now.getTime() < (until === 'expiry' ? end : Math.floor(end / DAY) * DAY)
}

/** The token with the fields that were sent; the others stay. `expiresAt` is in stored form. */
export function updateSignupToken(
  token: Stored,
  { enabled = token.enabled, expiresAt = token.expiresAt }: PublicSignupTokenUpdate,
): Stored {
  return { ...token, enabled, expiresAt }
}

/** The expiry of a new token: the requested one, but at most one calendar month from now. */
export function cappedExpiry(asked: Date, now: Date): Date {
  const latest = oneMonthAfter(now)
  return asked.getTime() > latest.getTime() ? latest : asked
}

/** The same day of the next month (UTC), or its last day if it is shorter. */
function oneMonthAfter(date: Date): Date {
  const result = new Date(date)
  result.setUTCMonth(date.getUTCMonth() + 1)
  if (result.getUTCDate() !== date.getUTCDate()) result.setUTCDate(0)
  return result
}
