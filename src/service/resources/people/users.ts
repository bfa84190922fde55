import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { sha256Hex } from '../../../support/hash.js'
import { isEmailAddress } from '../../../support/text.js'
import { secret } from '../../contract/secrets.js'
import { given, instant, optional } from '../shared/fields.js'
import { pick } from '../shared/pick.js'
import { type Actor, idSchema, instantSchema, named, namedStrict } from '../shared/schema.js'
import { defineTable, idOf } from '../shared/table.js'
import { hashPassword } from './passwords.js'
import { roleName, VIEWER } from './roles.js'

export const feedbackSchema = named('feedbackSchema', {
  feedbackId: z.string(),
  neverShow: z.boolean(),
  given: instantSchema.nullable(),
})

export const userRecordSchema = z.object({
  id: idSchema,
  name: optional(z.string().nullable(), null),
  email: given(
    z.string().nullable(),
    z
      .string()
      .refine((text) => text === '' || isEmailAddress(text), 'must be an e-mail address')
      .nullable(),
    null,
  ),
  username: optional(z.string().nullable(), null),
  rootRole: given(
    z.int(),
    z.union([z.int(), z.string()], { error: 'must be the id or the name of a role' }).optional(),
  ),
  accountType: optional(z.enum(['User', 'Service Account']), 'User'),
  loginAttempts: optional(z.int(), 0),
  seenAt: instant(null),
  createdAt: instant('now'),
  scimId: optional(z.string().nullable(), null),
  passwordHash: secret(optional(z.string().nullable(), null)),
  feedback: optional(z.array(feedbackSchema), []),
  splash: optional(z.record(z.string(), z.boolean()), {}),
  earlierPasswords: secret(z.array(z.string()).optional()),
  resetAskedAt: instant(),
})

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
export const userSchema = named('userSchema', {
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
})

export type User = z.infer<typeof userSchema>

export const briefAccountSchema = z.object({
  accountType: z.string(),
  id: z.int(),
  name: z.string().optional(),
  username: z.string().optional(),
  email: z.string().optional(),
  imageUrl: z.string(),
  seenAt: instantSchema.nullable(),
  loginAttempts: z.int(),
  createdAt: instantSchema,
})

/** A user in responses that the document leaves open: as observed in Unleash. */
export const accountSchema = briefAccountSchema
  .extend({
    scimId: z.string().nullable(),
    seatType: z.null(),
    companyRole: z.null(),
    productUpdatesEmailConsent: z.null(),
  })
  .meta({ id: 'accountSchema' })

export const managedUserSchema = accountSchema.extend({ rootRole: z.int() }).meta({ id: 'managedUserSchema' })

export const givenPasswordSchema = namedStrict('givenPasswordSchema', {
  password: secret(z.string()),
  oldPassword: secret(z.string()).optional(),
  confirmPassword: secret(z.string()).optional(),
})

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
    password: secret(z.string().optional()),
    isAPI: z.boolean().optional(),
    imageUrl: z.string().optional(),
    inviteLink: z.string().optional(),
    emailSent: z.boolean().optional(),
    permissions: z.array(z.string()).optional(),
    ...accountSchema.pick({ seatType: true, companyRole: true, productUpdatesEmailConsent: true }).partial().shape,
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
  return { id: user.id, name: displayNameOf(user), imageUrl: imageUrlOf(user) }
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
