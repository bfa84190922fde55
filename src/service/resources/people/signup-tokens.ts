import * as z from 'zod'
import { DAY } from '../../../support/calendar.js'
import type { Frozen } from '../../../support/freeze.js'
import type { Profile } from '../../contract/profile.js'
import { computed, derived, field, given, instant, optional, written } from '../shared/fields.js'
import { object } from '../shared/object.js'
import { instantSchema, named, namedStrict, sentInstantSchema } from '../shared/schema.js'
import { defineTable, idOf, type KnownRecords } from '../shared/table.js'
import { presentRole, roleName, roleSchema, VIEWER } from './roles.js'
import { type User, userSchema } from './users.js'

const givenUserSchema = z.looseObject({
  id: field(z.int(), 'The ID.'),
  name: computed(z.string().nullable(), 'The display name, computed from `users`.'),
  username: computed(z.string().nullable(), 'The user name, computed from `users`.'),
  email: computed(z.string().nullable(), 'The email address, computed from `users`.'),
})

const givenRoleSchema = z.looseObject({
  id: field(z.int(), 'The ID.'),
  name: computed(z.string().nullable(), 'The display name, computed from `roles`.'),
  type: computed(z.string().nullable(), 'The type, computed from `roles`.'),
})

/** A public signup token as stored: with `enabled` independent of the time, and with users and role as IDs. */
export const signupTokenRecordSchema = object(() => ({
  secret: field(z.string().min(1), 'The secret, as in the link.'),
  name: derived(z.string(), ({ secret }: { secret: string }) => secret, 'The display name. Default: the secret.'),
  enabled: optional(z.boolean(), true, 'Whether it works until it expires.'),
  expiresAt: instant('now+30d', 'The time of expiry.'),
  createdAt: written(instant('now', 'The time of creation.')),
  createdBy: written(optional(z.string().nullable(), null, 'The name of its creator.')),
  users: given(
    z.array(z.object({ id: field(z.int(), 'The ID.') })),
    z.array(givenUserSchema).optional(),
    'The IDs of the users who signed up with it.',
  ),
  role: given(
    z.object({ id: field(z.int(), 'The ID.') }),
    z
      .union([z.int(), z.string(), givenRoleSchema], {
        error: 'must be the name of a role, its id, or an object with its id',
      })
      .optional(),
    'The role of new users: its name, its ID, or, as in responses, an object with the ID. Default: Viewer.',
  ),
}))

type SignupTokenRecord = z.infer<typeof signupTokenRecordSchema>

export type StoredSignupToken = Frozen<SignupTokenRecord>

/** A public signup token in responses. The document allows null for `users`; here it is always a list. */
export const publicSignupTokenSchema = named('publicSignupTokenSchema', () => ({
  secret: z.string(),
  url: z.string().nullable(),
  name: z.string(),
  enabled: z.boolean().meta({ description: 'Always false for a token that has expired' }),
  expiresAt: instantSchema,
  createdAt: instantSchema,
  createdBy: z.string().nullable(),
  users: z.array(userSchema).nullable(),
  role: roleSchema,
}))

export type PublicSignupToken = z.infer<typeof publicSignupTokenSchema> & { users: User[] }

/** A public signup token in Unleash's responses. */
export const serviceSignupTokenSchema = named(
  'serviceSignupTokenSchema',
  () =>
    publicSignupTokenSchema.extend({
      enabled: z.boolean(),
      users: z.array(userSchema.pick({ id: true, name: true, username: true })),
      role: roleSchema.pick({ id: true, name: true, type: true }),
    }).shape,
)

export type ServiceSignupToken = z.infer<typeof serviceSignupTokenSchema>

/** A public signup token in Unleash's response to an update: without its role and its users. */
export const updatedServiceSignupTokenSchema = named(
  'updatedServiceSignupTokenSchema',
  () => serviceSignupTokenSchema.extend({ users: z.tuple([]), role: z.strictObject({}) }).shape,
)

export const publicSignupTokensSchema = named('publicSignupTokensSchema', () => ({
  tokens: z.array(publicSignupTokenSchema),
}))

export const publicSignupTokenCreateSchema = namedStrict('publicSignupTokenCreateSchema', () => ({
  name: z.string(),
  expiresAt: sentInstantSchema,
}))

export const publicSignupTokenUpdateSchema = namedStrict('publicSignupTokenUpdateSchema', () => ({
  expiresAt: sentInstantSchema.optional(),
  enabled: z.boolean().optional(),
}))

/** Whether a user can sign up with a token now. */
export function isUsable(token: StoredSignupToken, now: Date, until: Profile['signupTokens']['usableUntil']): boolean {
  const end = Date.parse(token.expiresAt)
  return token.enabled && now.getTime() < (until === 'expiry' ? end : Math.floor(end / DAY) * DAY)
}

/** The expiry of a new token: the requested one, but at most one calendar month from now. */
export function cappedExpiry(asked: Date, now: Date): Date {
  const latest = oneMonthAfter(now)
  return asked.getTime() > latest.getTime() ? latest : asked
}

/** The same day of the next month (UTC), or its last day if it is shorter. */
function oneMonthAfter(date: Date): Date {
  const result = new Date(date)
  result.setUTCMonth(date.getUTCMonth() + 1)
  if (result.getUTCDate() !== date.getUTCDate()) result.setUTCDate(0)
  return result
}

/** A signup token in a snapshot: with its users and its role in brief. */
type SignupTokenInState = Omit<SignupTokenRecord, 'users' | 'role'> & {
  users: { id: number; name: string | null; username: string | null }[]
  role: PublicSignupToken['role']
}

function showSignupToken(token: StoredSignupToken, known: KnownRecords): Frozen<SignupTokenInState> {
  const role = known.roles.get(token.role.id)
  const users = token.users.flatMap(({ id }) => known.users.get(id) ?? [])
  return {
    ...token,
    users: users.map(({ id, name, username }) => ({ id, name, username })),
    role:
      role === undefined
        ? { id: token.role.id, type: 'root', name: `Role ${token.role.id}`, description: '', project: null }
        : presentRole(role),
  }
}

export const signupTokenTable = defineTable({
  meaning: 'Public signup links. Only `secret` is needed.',
  record: signupTokenRecordSchema,
  keyName: 'the secret of a signup token',
  key: ({ secret }) => secret,
  more: {
    url: computed(z.string().nullable(), 'The link, as in responses.'),
  },
  own: ({ users = [], role = VIEWER }, { roles }) => ({
    users: users.map(({ id }) => ({ id })),
    role: { id: typeof role === 'object' ? role.id : idOf(role, roles, roleName) },
  }),
  *references({ role, users }) {
    yield { at: 'role.id', to: 'roles', key: role.id }
    for (const [i, { id }] of users.entries()) yield { at: `users[${i}].id`, to: 'users', key: id }
  },
  show: showSignupToken,
})
