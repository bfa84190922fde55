import { DAY } from '../../../support/duration.js'
import type { Frozen } from '../../../support/freeze.js'
import { LOGIN_COOKIE, type LoginRecord } from './schema.js'

/** How long a login is good. */
export const LOGIN_LASTS = 2 * DAY

/** The header that hands out a login. */
export function loginCookie({ secret, createdAt }: Frozen<LoginRecord>): string {
  const expires = new Date(Date.parse(createdAt) + LOGIN_LASTS).toUTCString()
  return `${LOGIN_COOKIE}=${secret}; Path=/; Expires=${expires}; HttpOnly; SameSite=Lax`
}

/** The header that takes it back. */
export const noLoginCookie = `${LOGIN_COOKIE}=; Path=/; Expires=${new Date(0).toUTCString()}; HttpOnly; SameSite=Lax`
