import { DAY } from '../../../support/duration.js'
import type { Frozen } from '../../../support/freeze.js'
import type { Tables } from '../../shared/context.js'
import { LOGIN_COOKIE, type LoginRecord, type ResetTokenRecord } from './schema.js'

/** How long a login is good. */
const LOGIN_LASTS = 2 * DAY

/** The login with this secret, if it is good. */
export function findLogin(tables: Tables, secret: string, now: Date): Frozen<LoginRecord> | undefined {
  const login = tables.logins.get(secret)
  return login !== undefined && now.getTime() < Date.parse(login.createdAt) + LOGIN_LASTS ? login : undefined
}

/** The reset link with this secret, if it is good. */
export function findResetToken(tables: Tables, secret: string, now: Date): Frozen<ResetTokenRecord> | undefined {
  const token = tables.resetTokens.get(secret)
  return token !== undefined && now.getTime() < Date.parse(token.expiresAt) ? token : undefined
}

/** The header that hands out a login. */
export function loginCookie({ secret, createdAt }: Frozen<LoginRecord>): string {
  const expires = new Date(Date.parse(createdAt) + LOGIN_LASTS).toUTCString()
  return `${LOGIN_COOKIE}=${secret}; Path=/; Expires=${expires}; HttpOnly; SameSite=Lax`
}

/** The header that takes it back. */
export const noLoginCookie = `${LOGIN_COOKIE}=; Path=/; Expires=${new Date(0).toUTCString()}; HttpOnly; SameSite=Lax`

/** Ends every login of a user, and every link by which they could choose a password. */
export function signOutEverywhere(tables: Tables, userId: number): void {
  for (const { secret } of tables.logins.by('user', userId)) tables.logins.remove(secret)
  for (const { secret } of tables.resetTokens.by('user', userId)) tables.resetTokens.remove(secret)
}
