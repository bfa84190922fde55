import { httpOnlyCookie } from '../../../support/cookie.js'
import { DAY } from '../../../support/duration.js'
import type { Frozen } from '../../../support/freeze.js'
import { LOGIN_COOKIE, type LoginRecord } from './schema.js'

/** How long a login is valid. */
export const LOGIN_LASTS = 2 * DAY

/** How long a link to choose a password is valid. */
export const LINK_LASTS = DAY

/** The `Set-Cookie` header that signs a user in. */
export function loginCookie({ secret, createdAt }: Frozen<LoginRecord>): string {
  return httpOnlyCookie(LOGIN_COOKIE, secret, new Date(Date.parse(createdAt) + LOGIN_LASTS))
}

/** The `Set-Cookie` header that signs a user out. */
export const expiredLoginCookie = httpOnlyCookie(LOGIN_COOKIE, '', new Date(0))
