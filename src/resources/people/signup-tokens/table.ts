import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { fixtureInstant, fixtureInstantSchema } from '../../shared/schema.js'
import { defineTable, idOf, type KnownRecords } from '../../shared/table.js'
import { presentRole } from '../roles/present.js'
import { roleName, VIEWER } from '../roles/rules.js'
import { type PublicSignupToken, type SignupTokenRecord, signupTokenRecordSchema } from './schema.js'

/** A signup token in a snapshot: with its users and its role in brief. */
type SignupTokenInState = Omit<SignupTokenRecord, 'users' | 'role'> & {
  users: { id: number; name: string | null; username: string | null }[]
  role: PublicSignupToken['role']
}

function showSignupToken(token: Frozen<SignupTokenRecord>, known: KnownRecords): Frozen<SignupTokenInState> {
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
  record: signupTokenRecordSchema,
  keyName: 'the secret of a signup token',
  key: ({ secret }) => secret,
  indexes: {},
  fixture: z.strictObject({
    ...signupTokenRecordSchema.partial().shape,
    /** The secret, as in the link. */
    secret: z.string().min(1),
    /** When it expires. Default: 30 days from the start of the world. */
    expiresAt: fixtureInstantSchema.optional(),
    /** When it was created. Default: the start of the world. */
    createdAt: fixtureInstantSchema.optional(),
    /** The users who signed up with it, by id. */
    users: z
      .array(
        z.looseObject({
          /** The id. */
          id: z.int(),
        }),
      )
      .optional(),
    /** The role that new users get: its name, its id, or, as responses have it, an object with the id. Default: Viewer. */
    role: z
      .union(
        [
          z.int(),
          z.string(),
          z.looseObject({
            /** The id. */
            id: z.int(),
          }),
        ],
        { error: 'must be the name of a role, its id, or an object with its id' },
      )
      .optional(),
    /** The link, as responses have it. It must end with the secret. */
    url: z.string().nullable().optional(),
  }),
  needs: ['roles'],
  complete: (given, { now, roles }) => ({
    secret: given.secret,
    name: given.name ?? given.secret,
    enabled: given.enabled ?? true,
    expiresAt: fixtureInstant(given.expiresAt ?? 'now+30d', now),
    createdAt: fixtureInstant(given.createdAt ?? 'now', now),
    createdBy: given.createdBy ?? null,
    users: (given.users ?? []).map(({ id }) => ({ id })),
    role: { id: typeof given.role === 'object' ? given.role.id : idOf(given.role ?? VIEWER, roles, roleName) },
  }),
  *references({ role, users }) {
    yield { at: 'role.id', to: 'roles', key: role.id }
    for (const [i, { id }] of users.entries()) yield { at: `users[${i}].id`, to: 'users', key: id }
  },
  show: showSignupToken,
})
