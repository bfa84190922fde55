import * as z from 'zod'
import { DAY } from '../../../support/calendar.js'
import { httpOnlyCookie } from '../../../support/cookie.js'
import { secret } from '../../contract/secrets.js'
import { field, instant, optional } from '../shared/fields.js'
import { object } from '../shared/object.js'
import { named, namedStrict } from '../shared/schema.js'
import { defineTable } from '../shared/table.js'
import { briefRoleSchema } from './roles.js'
import { accountSchema, presentAccount, type StoredUser, type UserRecord } from './users.js'

/** The cookie with the secret of a login. */
export const LOGIN_COOKIE = 'unleash-session'

/** The data by which each world of a session recognizes a user. */
export type Person = Pick<UserRecord, 'id' | 'name' | 'email' | 'username'>

/** A login: the secret in the cookie, the user, and what the response to it said. */
export interface SignedIn {
  secret: string
  user: Person
  /** The user's last visit before it. */
  seenAt?: string | null | undefined
  /** The number of older logins that it ended. */
  deletedSessions?: number | undefined
}

/** The usual reason for the end of a login. */
export const SIGNED_OUT = 'its user signed out or changed the password'

/** The logins of a session. An operation's changes apply when its transaction is committed. */
export interface LoginBook {
  get(secret: string): SignedIn | undefined
  /** The valid logins with the ID of a user, the oldest first. */
  of(userId: number): readonly SignedIn[]
  begin(login: SignedIn): void
  /** Ends a login, for a reason. */
  end(secret: string, reason: string): void
  /** Changes the user of each login; undefined ends the login, for a reason. */
  change(personOf: (login: SignedIn) => Person | undefined, reason?: string): void
}

/** A link with which a user can set a new password, as stored. */
const resetTokenRecordSchema = object(() => ({
  secret: secret(field(z.string().min(1), 'The secret, as in the link.')),
  userId: field(z.int(), 'The ID of the user.'),
  createdBy: optional(z.string().nullable(), null, 'The name of the user who requested it.'),
  createdAt: instant('now', 'The time of creation.'),
  expiresAt: instant('now+1d', 'The time of expiry.'),
}))

export type ResetTokenRecord = z.infer<typeof resetTokenRecordSchema>

/** A user after signing in. */
export const signedInSchema = named(
  'signedInSchema',
  () =>
    accountSchema.extend({
      deletedSessions: z.int(),
      activeSessions: z.int().meta({ description: 'The maximum number of logins at once' }),
    }).shape,
)

export const emailSchema = namedStrict('emailSchema', () => ({ email: z.string() }))

export const tokenUserSchema = named('tokenUserSchema', () => ({
  id: z.int(),
  name: z.string().optional(),
  email: z.string(),
  token: secret(z.string()),
  createdBy: z.string().nullable(),
  role: briefRoleSchema,
}))

/** The lifetime of a login in real time: moving the clock of a world signs no user out. */
export const LOGIN_LASTS = 2 * DAY

/** The lifetime of a password link. */
export const LINK_LASTS = DAY

/** The maximum password links in a world. The oldest ends first. */
export const LINKS_KEPT = 10_000

/** A page where a user sets a password: the first password, or a new one. */
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
  meaning: 'Password reset links.',
  isReported: true,
  record: resetTokenRecordSchema,
  keyName: 'the secret of a reset token',
  key: ({ secret }) => secret,
  indexes: { user: ({ userId }) => [userId] },
  *references({ userId }) {
    yield { at: 'userId', to: 'users', key: userId }
  },
})

/** The maximum logins of a user. The oldest ends first. */
export const LOGINS_ALLOWED = 5

/** The user of a login, as at its beginning. `activeSessions` is the maximum number of logins, not the current number. */
export function presentSignedIn(
  user: StoredUser,
  { seenAt = user.seenAt, deletedSessions = 0 }: Partial<SignedIn> = {},
): z.infer<typeof signedInSchema> {
  return { ...presentAccount({ ...user, seenAt }), deletedSessions, activeSessions: LOGINS_ALLOWED }
}
