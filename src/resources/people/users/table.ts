import * as z from 'zod'
import { isEmailAddress } from '../../../support/email.js'
import { fixtureInstant, fixtureInstantSchema } from '../../shared/schema.js'
import { defineTable, idOf, instantOr } from '../../shared/table.js'
import { hashPassword } from '../passwords/rules.js'
import { roleName, VIEWER } from '../roles/rules.js'
import { userRecordSchema } from './schema.js'

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
  fixture: z.strictObject({
    ...userRecordSchema.partial().shape,
    /** The id. */
    id: z.int(),
    /** The role in the whole service, by name or by id: `"Editor"`. Default: Viewer. */
    rootRole: z.union([z.int(), z.string()], { error: 'must be the id or the name of a role' }).optional(),
    /** The e-mail address. Default: null. */
    email: z
      .string()
      .refine((text) => text === '' || isEmailAddress(text), 'must be an e-mail address')
      .nullable()
      .optional(),
    /** The password in plain text. It is stored as its hash. */
    password: z.string().optional(),
    /** When the user was last here. Default: null, never. */
    seenAt: fixtureInstantSchema.nullable().optional(),
    /** When somebody last asked for a new password for the user. Default: never. */
    resetAskedAt: fixtureInstantSchema.optional(),
    /** When the account was created. Default: the start of the world. */
    createdAt: fixtureInstantSchema.optional(),
    /** Always false, as responses have it. */
    isAPI: z.boolean().optional(),
    /** A picture. It must agree with the e-mail address. */
    imageUrl: z.string().optional(),
    /** The link of an invitation, as responses have it. */
    inviteLink: z.string().optional(),
    /** Always false, as responses have it. */
    emailSent: z.boolean().optional(),
    /** Always empty, as responses have it. See `roles`. */
    permissions: z.array(z.string()).optional(),
    /** Always null, as responses have it. */
    seatType: z.null().optional(),
    /** Always null, as responses have it. */
    companyRole: z.null().optional(),
    /** Always null, as responses have it. */
    productUpdatesEmailConsent: z.null().optional(),
  }),
  beneath: (shown, { password }) => (password === undefined ? shown : { ...shown, passwordHash: null }),
  needs: ['roles'],
  complete: (given, context) => ({
    id: given.id,
    name: given.name ?? null,
    email: given.email?.toLowerCase() ?? null,
    username: given.username ?? null,
    rootRole: idOf(given.rootRole ?? VIEWER, context.roles, roleName),
    accountType: given.accountType ?? 'User',
    loginAttempts: given.loginAttempts ?? 0,
    seenAt: instantOr(given.seenAt, null, context),
    createdAt: fixtureInstant(given.createdAt ?? 'now', context.now),
    scimId: given.scimId ?? null,
    passwordHash: given.passwordHash ?? (given.password ? hashPassword(given.password, context.ids.hex(8)) : null),
    feedback: given.feedback ?? [],
    splash: given.splash ?? {},
    ...(given.earlierPasswords === undefined ? {} : { earlierPasswords: given.earlierPasswords }),
    ...(given.resetAskedAt === undefined ? {} : { resetAskedAt: fixtureInstant(given.resetAskedAt, context.now) }),
  }),
  *references({ rootRole }) {
    yield { at: 'rootRole', to: 'roles', key: rootRole }
  },
})
