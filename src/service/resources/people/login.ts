import * as z from 'zod'
import { DAY } from '../../../support/calendar.js'
import { httpOnlyCookie } from '../../../support/cookie.js'
import type { Frozen } from '../../../support/freeze.js'
import { secret } from '../../contract/secrets.js'
import { instant, optional } from '../shared/fields.js'
import { named, namedStrict } from '../shared/schema.js'
import { defineTable } from '../shared/table.js'
import { briefRoleSchema } from './roles.js'
import { accountSchema, presentAccount, type StoredUser, type UserRecord } from './users.js'

/** The cookie that holds the secret of a login. */
export const LOGIN_COOKIE = 'unleash-session'

/** A login: the secret that the cookie holds, and the user who is signed in. */
const loginRecordSchema = z.object({
  secret: secret(z.string().min(1)),
  userId: z.int(),
  createdAt: instant('now'),
})

export type LoginRecord = z.infer<typeof loginRecordSchema>

/** Somebody who is signed in, as other worlds know them again. */
export interface SignedIn {
  /** The value of the cookie. */
  secret: string
  user: Pick<UserRecord, 'id' | 'name' | 'email' | 'username'>
}

/** A link with which a user may choose a new password, as it is stored. */
const resetTokenRecordSchema = z.object({
  secret: secret(z.string().min(1)),
  userId: z.int(),
  createdBy: optional(z.string().nullable(), null),
  createdAt: instant('now'),
  expiresAt: instant('now+1d'),
})

export type ResetTokenRecord = z.infer<typeof resetTokenRecordSchema>

/** A user who has just signed in. */
export const signedInSchema = accountSchema
  .extend({
    deletedSessions: z.int(),
    activeSessions: z.int().meta({ description: 'How many logins the service allows at once' }),
  })
  .meta({ id: 'signedInSchema' })

export const emailSchema = namedStrict('emailSchema', { email: z.string() })

export const tokenUserSchema = named('tokenUserSchema', {
  id: z.int(),
  name: z.string().optional(),
  email: z.string(),
  token: secret(z.string()),
  createdBy: z.string().nullable(),
  role: briefRoleSchema,
})

/** How long a login lasts, by the real time: to move the clock of a world signs nobody out. */
export const LOGIN_LASTS = 2 * DAY

/** How long a link to choose a password is valid. */
export const LINK_LASTS = DAY

/** Logins that a world keeps. The oldest ends first. */
export const LOGINS_KEPT = 10_000

/** Links to choose a password that a world keeps. The oldest ends first. */
export const LINKS_KEPT = 10_000

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
  const expires = new Date(Date.parse(createdAt) + LOGIN_LASTS)
  return httpOnlyCookie(LOGIN_COOKIE, secret, { maxAge: LOGIN_LASTS / 1000, expires })
}

/** The `Set-Cookie` header that signs a user out. */
export const expiredLoginCookie = httpOnlyCookie(LOGIN_COOKIE, '', { maxAge: 0, expires: new Date(0) })

/** What logins and reset links have in common: a secret as their key, and a user. */
const ofUser = {
  key: ({ secret }: { secret: string }) => secret,
  indexes: { user: ({ userId }: { userId: number }) => [userId] },
  *references({ userId }: { userId: number }) {
    yield { at: 'userId', to: 'users', key: userId }
  },
}

export const loginTable = defineTable({ ...ofUser, record: loginRecordSchema, keyName: 'the secret of a login' })

export const resetTokenTable = defineTable({
  ...ofUser,
  record: resetTokenRecordSchema,
  keyName: 'the secret of a reset token',
})

/** `activeSessions` is the number of logins that a user may have at once, not the number of current ones. */
const LOGINS_ALLOWED = 5

export function presentSignedIn(user: StoredUser): z.infer<typeof signedInSchema> {
  return { ...presentAccount(user), deletedSessions: 0, activeSessions: LOGINS_ALLOWED }
}
