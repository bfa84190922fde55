import * as z from 'zod'
import { fixtureInstantSchema } from '../../shared/schema.js'
import { derived, type FixtureContext, instantOr } from '../../shared/table.js'
import { type SignupTokenRecord, signupTokenRecordSchema } from './schema.js'

const VIEWER = 3

/** A signup token as a fixture may give it: only its secret is needed. Users and role count by their ids. */
export const signupTokenFixtureSchema = z.strictObject({
  ...signupTokenRecordSchema.partial().shape,
  secret: z.string().min(1),
  expiresAt: fixtureInstantSchema.optional(),
  createdAt: fixtureInstantSchema.optional(),
  users: z.array(z.looseObject({ id: z.int() })).optional(),
  role: z.looseObject({ id: z.int() }).optional(),
  url: derived,
})

/** The record that a fixture means: enabled, good for 30 days and for the role Viewer where it says nothing else. */
export function completeSignupToken(
  given: z.infer<typeof signupTokenFixtureSchema>,
  context: FixtureContext,
): SignupTokenRecord {
  const now = context.now.toISOString()
  return {
    secret: given.secret,
    name: given.name ?? given.secret,
    enabled: given.enabled ?? true,
    expiresAt: instantOr(given.expiresAt ?? 'now+30d', now, context),
    createdAt: instantOr(given.createdAt, now, context),
    createdBy: given.createdBy ?? null,
    users: (given.users ?? []).map(({ id }) => ({ id })),
    role: { id: given.role?.id ?? VIEWER },
  }
}
