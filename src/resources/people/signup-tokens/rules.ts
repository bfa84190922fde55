import type { Profile } from '../../../contract/profile.js'
import { DAY } from '../../../support/duration.js'
import type { Frozen } from '../../../support/freeze.js'
import type { PublicSignupTokenUpdate, SignupTokenRecord } from './schema.js'

type Stored = Frozen<SignupTokenRecord>

/** Whether a token has expired: from the very instant of `expiresAt` on. */
export function hasExpired(token: Pick<Stored, 'expiresAt'>, now: Date): boolean {
  return Date.parse(token.expiresAt) <= now.getTime()
}

/** Whether somebody can sign up by it now. */
export function isUsable(token: Stored, now: Date, until: Profile['signupTokens']['usableUntil']): boolean {
  const end = Date.parse(token.expiresAt)
  return token.enabled && now.getTime() < (until === 'expiry' ? end : Math.floor(end / DAY) * DAY)
}

/** The token with what was sent in place of what it had; what was not sent stays. `expiresAt` is in stored form. */
export function updateSignupToken(token: Stored, sent: PublicSignupTokenUpdate): Stored {
  return {
    ...token,
    ...(sent.enabled === undefined ? {} : { enabled: sent.enabled }),
    ...(sent.expiresAt === undefined ? {} : { expiresAt: sent.expiresAt }),
  }
}

/** The expiry that a new token is given: the one asked for, at most one calendar month from now. */
export function cappedExpiry(asked: Date, now: Date): Date {
  const latest = oneMonthAfter(now)
  return asked.getTime() > latest.getTime() ? latest : asked
}

/** The same day of the next month (UTC), or its last day where it has no such day. */
function oneMonthAfter(date: Date): Date {
  const result = new Date(date)
  result.setUTCMonth(date.getUTCMonth() + 1)
  if (result.getUTCDate() !== date.getUTCDate()) result.setUTCDate(0)
  return result
}
