import * as z from 'zod'
import { fixtureInstantSchema } from '../../shared/schema.js'
import { defineTable, derived, type FixtureContext, instantOr } from '../../shared/table.js'
import { hashPassword } from '../passwords/rules.js'
import { VIEWER } from '../roles/rules.js'
import { type UserRecord, userRecordSchema } from './schema.js'

/** A user as a fixture may give it: only its id is needed. */
export const userFixtureSchema = z.strictObject({
  ...userRecordSchema.partial().shape,
  id: z.int(),
  /** In plain text, for those who write fixtures; it is kept as its hash. */
  password: z.string().optional(),
  seenAt: fixtureInstantSchema.nullable().optional(),
  createdAt: fixtureInstantSchema.optional(),
  isAPI: derived,
  imageUrl: derived,
  inviteLink: derived,
  emailSent: derived,
  permissions: derived,
})

/** The record that a fixture means. */
export function completeUser(given: z.infer<typeof userFixtureSchema>, context: FixtureContext): UserRecord {
  return {
    id: given.id,
    name: given.name ?? null,
    email: given.email?.toLowerCase() ?? null,
    username: given.username ?? null,
    rootRole: given.rootRole ?? VIEWER,
    accountType: given.accountType ?? 'User',
    loginAttempts: given.loginAttempts ?? 0,
    seenAt: instantOr(given.seenAt, null, context),
    createdAt: instantOr(given.createdAt, context.now.toISOString(), context),
    scimId: given.scimId ?? null,
    passwordHash: given.passwordHash ?? (given.password ? hashPassword(given.password, context.ids.hex(8)) : null),
    feedback: given.feedback ?? [],
    splash: given.splash ?? {},
  }
}

export const userTable = defineTable({
  record: userRecordSchema,
  keyName: 'the id of a user',
  key: ({ id }) => id,
  indexes: {
    email: ({ email }) => (email === null ? [] : [email]),
    username: ({ username }) => (username ? [username] : []),
  },
  fixture: userFixtureSchema,
  complete: completeUser,
  *references({ rootRole }) {
    yield { at: 'rootRole', to: 'roles', key: rootRole }
  },
})
