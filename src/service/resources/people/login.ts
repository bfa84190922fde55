import * as z from 'zod'
import { DAY } from '../../../support/calendar.js'
import { httpOnlyCookie } from '../../../support/cookie.js'
import { secret } from '../../contract/secrets.js'
import { instant, optional } from '../shared/fields.js'
import { named, namedStrict } from '../shared/schema.js'
import { defineTable } from '../shared/table.js'
import { briefRoleSchema } from './roles.js'
import { accountSchema, presentAccount, type StoredUser, type UserRecord } from './users.js'

/** The cookie that holds the secret of a login. */
export const LOGIN_COOKIE = 'unleash-session'

/** A user as each world of a session knows them again. */
export type Person = Pick<UserRecord, 'id' | 'name' | 'email' | 'username'>

/** A login: the secret that the cookie holds, and the person who is signed in. */
export interface SignedIn {
  secret: string
  user: Person
}

/** The logins of a session. What an operation changes takes effect if its transaction is committed. */
export interface LoginBook {
  get(secret: string): SignedIn | undefined
  begin(login: SignedIn): void
  /** Changes the person of each login, or, where that is undefined, ends it. */
  change(personOf: (login: SignedIn) => Person | undefined): void
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
export function loginCookie(secret: string, now: Date): string {
  const expires = new Date(now.getTime() + LOGIN_LASTS)
  return httpOnlyCookie(LOGIN_COOKIE, secret, { maxAge: LOGIN_LASTS / 1000, expires })
}

/** The `Set-Cookie` header that signs a user out. */
export const expiredLoginCookie = httpOnlyCookie(LOGIN_COOKIE, '', { maxAge: 0, expires: new Date(0) })

export const resetTokenTable = defineTable({
  record: resetTokenRecordSchema,
  keyName: 'the secret of a reset token',
  key: ({ secret }) => secret,
  indexes: { user: ({ userId }) => [userId] },
  *references({ userId }) {
    yield { at: 'userId', to: 'users', key: userId }
  },
})

/** `activeSessions` is the number of logins that a user may have at once, not the number of current ones. */
const LOGINS_ALLOWED = 5

export function presentSignedIn(user: StoredUser): z.infer<typeof signedInSchema> {
  return { ...presentAccount(user), deletedSessions: 0, activeSessions: LOGINS_ALLOWED }
}
