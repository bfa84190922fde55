import * as z from 'zod'
import { isEmailAddress } from '../../../support/email.js'
import { fixtureInstantSchema } from '../../shared/schema.js'
import { defineTable, type FixtureContext, instantOr } from '../../shared/table.js'
import { hashPassword } from '../passwords/rules.js'
import { VIEWER } from '../roles/rules.js'
import { type UserRecord, userRecordSchema } from './schema.js'

/** A user as a fixture may give it: only its id is needed. */
export const userFixtureSchema = z.strictObject({
  ...userRecordSchema.partial().shape,
  id: z.int(),
  email: z
    .string()
    .refine((text) => text === '' || isEmailAddress(text), 'must be an e-mail address')
    .nullable()
    .optional(),
  /** In plain text, for those who write fixtures; it is kept as its hash. */
  password: z.string().optional(),
  seenAt: fixtureInstantSchema.nullable().optional(),
  createdAt: fixtureInstantSchema.optional(),
  isAPI: z.boolean().optional(),
  imageUrl: z.string().optional(),
  inviteLink: z.string().optional(),
  emailSent: z.boolean().optional(),
  permissions: z.array(z.string()).optional(),
  seatType: z.null().optional(),
  companyRole: z.null().optional(),
  productUpdatesEmailConsent: z.null().optional(),
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
    email: ({ email }) => (email ? [email] : []),
    username: ({ username }) => (username ? [username] : []),
  },
  unique: { email: 'the e-mail', username: 'the username' },
  fixture: userFixtureSchema,
  beneath: (shown, { password }) => (password === undefined ? shown : { ...shown, passwordHash: null }),
  complete: completeUser,
  *references({ rootRole }) {
    yield { at: 'rootRole', to: 'roles', key: rootRole }
  },
})
