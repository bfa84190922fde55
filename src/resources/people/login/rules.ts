import { httpOnlyCookie } from '../../../support/cookie.js'
import { DAY } from '../../../support/duration.js'
import type { Frozen } from '../../../support/freeze.js'
import { LOGIN_COOKIE, type LoginRecord, type ResetTokenRecord } from './schema.js'

/** How long a login is valid. */
export const LOGIN_LASTS = 2 * DAY

/** How long a link to choose a password is valid. */
export const LINK_LASTS = DAY

/** Logins that a world keeps. The oldest ends first. */
export const LOGINS_KEPT = 10_000

/** Links to choose a password that a world keeps. The oldest ends first. */
export const LINKS_KEPT = 10_000

/** Whether a login has ended. */
export function isOver({ createdAt }: Frozen<LoginRecord>, now: Date): boolean {
  return Date.parse(createdAt) + LOGIN_LASTS <= now.getTime()
}

/** Whether a link to choose a password has expired. */
export function hasExpired({ expiresAt }: Frozen<ResetTokenRecord>, now: Date): boolean {
  return Date.parse(expiresAt) <= now.getTime()
}

/** A page where a user chooses a password: the first one, or a new one. */
export type LinkedPage = 'new-user' | 'reset-password'

/** The link that opens such a page. */
export function linkTo(
  page: LinkedPage,
  { secret }: Pick<ResetTokenRecord, 'secret'>,
  { baseUrl }: { baseUrl: string },
): string {
  return `${baseUrl}/${page}?token=${secret}`
}

/** The `Set-Cookie` header that signs a user in. */
export function loginCookie({ secret, createdAt }: Frozen<LoginRecord>): string {
  return httpOnlyCookie(LOGIN_COOKIE, secret, new Date(Date.parse(createdAt) + LOGIN_LASTS))
}

/** The `Set-Cookie` header that signs a user out. */
export const expiredLoginCookie = httpOnlyCookie(LOGIN_COOKIE, '', new Date(0))
