import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { sha256Hex } from '../../../support/hash.js'
import { isEmailAddress } from '../../../support/text.js'
import { secret } from '../../contract/secrets.js'
import { computed, consequent, field, given, instant, optional, written } from '../shared/fields.js'
import { object } from '../shared/object.js'
import { pick } from '../shared/pick.js'
import { idSchema, instantSchema, named, namedStrict } from '../shared/schema.js'
import { defineTable, idOf } from '../shared/table.js'
import { hashPassword } from './passwords.js'
import { roleName, VIEWER } from './roles.js'

export const feedbackSchema = named('feedbackSchema', () => ({
  feedbackId: field(z.string(), 'The ID of the question.'),
  neverShow: field(z.boolean(), 'Whether it is never shown again.'),
  given: field(instantSchema.nullable(), 'The time of the response; null without a response.'),
}))

/** A user in brief, like a feature's creator. */
export const actorSchema = z
  .object({
    id: field(z.int(), 'The ID of the user.'),
    name: field(z.string(), "The display name. Default: the user's name."),
    imageUrl: consequent(field(z.string(), "The picture's URL. Default: the user's picture.")),
  })
  .meta({ id: 'actorSchema', description: 'A user in brief' })

export type Actor = z.infer<typeof actorSchema>

export const userRecordSchema = object(() => ({
  id: field(idSchema, 'The ID.'),
  name: optional(z.string().nullable(), null, 'The display name.'),
  email: given(
    z.string().nullable(),
    z
      .string()
      .refine((text) => text === '' || isEmailAddress(text), 'must be an e-mail address')
      .nullable(),
    null,
    'The email address.',
  ),
  username: optional(z.string().nullable(), null, 'The name to sign in with.'),
  rootRole: given(
    z.int(),
    z.union([z.int(), z.string()], { error: 'must be the id or the name of a role' }).optional(),
    'The root role, by name or ID: `"Editor"`. Default: Viewer.',
  ),
  accountType: optional(z.enum(['User', 'Service Account']), 'User', 'A user or a service account.'),
  loginAttempts: optional(z.int(), 0, 'The number of failed logins.'),
  seenAt: written(instant(null, 'The time of the last visit; null for never.')),
  createdAt: written(instant('now', 'The time of creation.')),
  scimId: optional(z.string().nullable(), null, 'The SCIM ID.'),
  passwordHash: secret(optional(z.string().nullable(), null, 'The hash of the password, as in snapshots.')),
  feedback: optional(z.array(feedbackSchema), [], 'Feedback questions that the user has seen.'),
  splash: optional(z.record(z.string(), z.boolean()), {}, 'Splash screens that the user has seen, by ID.'),
  earlierPasswords: secret(
    field(
      z.array(z.string()).optional(),
      "The hashes of earlier passwords, newest first, which the user can't choose again. Default: none.",
    ),
  ),
  resetAskedAt: instant(undefined, 'The time of the last password reset request. Default: never.'),
}))

export type UserRecord = z.infer<typeof userRecordSchema>

export type StoredUser = Frozen<UserRecord>

/** The maximum earlier passwords to remember, besides the current one. */
const REMEMBERED = 4

/** A user with a new password. The old password is remembered. */
export function withPassword({ resetAskedAt, ...user }: StoredUser, password: string, salt: string): StoredUser {
  const earlier = [...(user.passwordHash === null ? [] : [user.passwordHash]), ...(user.earlierPasswords ?? [])]
  return {
    ...user,
    passwordHash: hashPassword(password, salt),
    ...(earlier.length === 0 ? {} : { earlierPasswords: earlier.slice(0, REMEMBERED) }),
    // In the order of the schema, like a restored snapshot.
    ...(resetAskedAt === undefined ? {} : { resetAskedAt }),
  }
}

/** A user in responses, with all documented fields. */
export const userSchema = named('userSchema', () => ({
  id: z.int(),
  isAPI: z.boolean().meta({ deprecated: true }),
  name: z.string().nullable(),
  email: z.string().optional(),
  username: z.string().nullable(),
  imageUrl: z.string(),
  inviteLink: z.string(),
  loginAttempts: z.int(),
  emailSent: z.boolean(),
  rootRole: z.int(),
  seenAt: instantSchema.nullable(),
  createdAt: instantSchema,
  accountType: z.string(),
  permissions: z.array(z.string()).meta({ deprecated: true }),
  scimId: z.string().nullable().optional(),
}))

export type User = z.infer<typeof userSchema>

export const briefAccountSchema = object(() => ({
  accountType: z.string(),
  id: z.int(),
  name: z.string().optional(),
  username: z.string().optional(),
  email: z.string().optional(),
  imageUrl: z.string(),
  seenAt: instantSchema.nullable(),
  loginAttempts: z.int(),
  createdAt: instantSchema,
}))

/** A user in responses that the document leaves open: as observed in Unleash. */
export const accountSchema = named(
  'accountSchema',
  () =>
    briefAccountSchema.extend({
      scimId: z.string().nullable(),
      seatType: z.null(),
      companyRole: z.null(),
      productUpdatesEmailConsent: z.null(),
    }).shape,
)

export const managedUserSchema = named('managedUserSchema', () => accountSchema.extend({ rootRole: z.int() }).shape)

export const givenPasswordSchema = namedStrict('givenPasswordSchema', () => ({
  password: secret(z.string()),
  oldPassword: secret(z.string()).optional(),
  confirmPassword: secret(z.string()).optional(),
}))

/** Hashing a name takes longer than the rest of a response, and the same names come again and again. */
const avatars = new Map<string, string>()
const AVATARS_KEPT = 10_000

/** The avatar service's URL of the picture for a name, in any case. */
export function avatarOf(name: string): string {
  let url = avatars.get(name)
  if (url === undefined) {
    const digest = sha256Hex(name.toLowerCase())
    url = `https://gravatar.com/avatar/${digest}?s=42&d=retro&r=g`
    if (avatars.size === AVATARS_KEPT) avatars.clear()
    avatars.set(name, url)
  }
  return url
}

/** The names of a user. */
type Named = Pick<StoredUser, 'id' | 'name' | 'email' | 'username'>

/** The name of a creator in events and tokens. */
export function loginNameOf({ id, email, username }: Omit<Named, 'name'>): string {
  return email ?? username ?? String(id)
}

/** The name of a creator in features. */
export function displayNameOf({ id, name, email, username }: Named): string {
  return name || email || username || String(id)
}

export const userTable = defineTable({
  meaning: 'Users. Only `id` is needed.',
  record: userRecordSchema,
  keyName: 'the id of a user',
  nameOf: ({ username }) => username,
  key: ({ id }) => id,
  indexes: {
    email: ({ email }) => (email ? [email] : []),
    username: ({ username }) => (username ? [username] : []),
  },
  unique: { email: 'the e-mail', username: 'the username' },
  more: {
    password: secret(field(z.string().optional(), 'The password in plain text. It is stored as its hash.')),
    isAPI: computed(z.boolean(), 'Always false, as in responses.'),
    imageUrl: computed(z.string(), "The picture's URL, computed from the email address."),
    inviteLink: secret(field(z.string().optional(), 'The invitation link, as in responses.')),
    emailSent: computed(z.boolean(), 'Always false, as in responses.'),
    permissions: computed(z.array(z.string()), 'Always empty, as in responses. See `roles`.'),
    seatType: field(z.null().optional(), 'Always null, as in responses.'),
    companyRole: field(z.null().optional(), 'Always null, as in responses.'),
    productUpdatesEmailConsent: field(z.null().optional(), 'Always null, as in responses.'),
  },
  implies: (_, { password }) => (password === undefined ? {} : { passwordHash: null }),
  own: ({ email, rootRole = VIEWER, passwordHash = null, password }, { roles, ids }) => ({
    email: email?.toLowerCase() ?? null,
    rootRole: idOf(rootRole, roles, roleName),
    passwordHash: passwordHash ?? (password ? hashPassword(password, ids.hex(8)) : null),
  }),
  *references({ rootRole }) {
    yield { at: 'rootRole', to: 'roles', key: rootRole }
  },
})

export function imageUrlOf({ email, username, id }: Omit<Named, 'name'>): string {
  return avatarOf(email || username || String(id))
}

export function actorOf(user: Named): Actor {
  const name = displayNameOf(user)
  return { id: user.id, name, imageUrl: avatarOf(user.email || name) }
}

export const presentUser = pick(userSchema, (user: StoredUser) => ({
  isAPI: false,
  imageUrl: imageUrlOf(user),
  inviteLink: '',
  emailSent: false,
  permissions: [],
}))

export const inBrief = (user: StoredUser) => ({ username: user.username || null, imageUrl: imageUrlOf(user) })

const absent = { seatType: null, companyRole: null, productUpdatesEmailConsent: null }
export const inFull = (user: StoredUser) => ({ ...inBrief(user), ...absent })

export const presentBriefAccount = pick(briefAccountSchema, inBrief)

/** A user in the response to a login. */
export const presentAccount = pick(accountSchema, inFull)

/** A user in user administration. */
export const presentManagedUser = pick(managedUserSchema, inFull)

/** A user as in events. */
export const summarizeUser = pick(
  managedUserSchema.pick({ id: true, name: true, username: true, email: true, rootRole: true }),
)
