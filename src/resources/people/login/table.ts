import * as z from 'zod'
import { fixtureInstant, fixtureInstantSchema } from '../../shared/schema.js'
import { defineTable } from '../../shared/table.js'
import { loginRecordSchema, resetTokenRecordSchema } from './schema.js'

export const loginTable = defineTable({
  record: loginRecordSchema,
  keyName: 'the secret of a login',
  key: ({ secret }) => secret,
  indexes: { user: ({ userId }) => [userId] },
  fixture: z.strictObject({
    ...loginRecordSchema.shape,
    /** When the user signed in. Default: the start of the world. */
    createdAt: fixtureInstantSchema.optional(),
  }),
  complete: (given, context) => ({
    secret: given.secret,
    userId: given.userId,
    createdAt: fixtureInstant(given.createdAt ?? 'now', context.now),
  }),
  *references({ userId }) {
    yield { at: 'userId', to: 'users', key: userId }
  },
})

export const resetTokenTable = defineTable({
  record: resetTokenRecordSchema,
  keyName: 'the secret of a reset token',
  key: ({ secret }) => secret,
  indexes: { user: ({ userId }) => [userId] },
  fixture: z.strictObject({
    ...resetTokenRecordSchema.shape,
    /** Who asked for it. Default: null. */
    createdBy: z.string().nullable().optional(),
    /** When it was created. Default: the start of the world. */
    createdAt: fixtureInstantSchema.optional(),
    /** When it expires. Default: a day later. */
    expiresAt: fixtureInstantSchema.optional(),
  }),
  complete: (given, { now }) => ({
    secret: given.secret,
    userId: given.userId,
    createdBy: given.createdBy ?? null,
    createdAt: fixtureInstant(given.createdAt ?? 'now', now),
    expiresAt: fixtureInstant(given.expiresAt ?? 'now+1d', now),
  }),
  *references({ userId }) {
    yield { at: 'userId', to: 'users', key: userId }
  },
})
