import * as z from 'zod'
import { fixtureInstantSchema } from '../../shared/schema.js'
import { defineTable, type FixtureContext, instantOr } from '../../shared/table.js'
import { type LoginRecord, loginRecordSchema, type ResetTokenRecord, resetTokenRecordSchema } from './schema.js'

/** A login as a fixture may give it: the cookie's value and the user. */
export const loginFixtureSchema = z.strictObject({
  ...loginRecordSchema.shape,
  /** When the user signed in. Default: the start of the world. */
  createdAt: fixtureInstantSchema.optional(),
})

/** The record that a fixture means. */
export function completeLogin(given: z.infer<typeof loginFixtureSchema>, context: FixtureContext): LoginRecord {
  return { ...given, createdAt: instantOr(given.createdAt, context.now.toISOString(), context) }
}

/** A reset link as a fixture may give it: its secret and the user. */
export const resetTokenFixtureSchema = z.strictObject({
  ...resetTokenRecordSchema.shape,
  /** Who asked for it. Default: null. */
  createdBy: z.string().nullable().optional(),
  /** When it was created. Default: the start of the world. */
  createdAt: fixtureInstantSchema.optional(),
  /** When it expires. Default: a day later. */
  expiresAt: fixtureInstantSchema.optional(),
})

/** The record that a fixture means: good for a day where it says nothing else. */
export function completeResetToken(
  given: z.infer<typeof resetTokenFixtureSchema>,
  context: FixtureContext,
): ResetTokenRecord {
  const now = context.now.toISOString()
  return {
    ...given,
    createdBy: given.createdBy ?? null,
    createdAt: instantOr(given.createdAt, now, context),
    expiresAt: instantOr(given.expiresAt ?? 'now+1d', now, context),
  }
}

export const loginTable = defineTable({
  record: loginRecordSchema,
  keyName: 'the secret of a login',
  key: ({ secret }) => secret,
  indexes: { user: ({ userId }) => [userId] },
  fixture: loginFixtureSchema,
  complete: completeLogin,
  *references({ userId }) {
    yield { at: 'userId', to: 'users', key: userId }
  },
})

export const resetTokenTable = defineTable({
  record: resetTokenRecordSchema,
  keyName: 'the secret of a reset token',
  key: ({ secret }) => secret,
  indexes: { user: ({ userId }) => [userId] },
  fixture: resetTokenFixtureSchema,
  complete: completeResetToken,
  *references({ userId }) {
    yield { at: 'userId', to: 'users', key: userId }
  },
})
