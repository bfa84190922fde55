import * as z from 'zod'
import { listOfNames } from '../../shared/given-list.js'
import { fixtureInstantSchema } from '../../shared/schema.js'
import { defineTable, type FixtureContext, instantOr } from '../../shared/table.js'
import { type ApiTokenRecord, apiTokenRecordSchema } from './schema.js'

/** A key as a fixture may give it: only its secret is needed. */
export const apiTokenFixtureSchema = z.strictObject({
  ...apiTokenRecordSchema.partial().shape,
  /** The value of the header `Authorization`. */
  secret: z.string().min(1),
  /** The ids of the projects that it is for, or `*`. */
  projects: listOfNames().optional(),
  /** When it expires. Default: null, never. */
  expiresAt: fixtureInstantSchema.nullable().optional(),
  /** When it was created. Default: the start of the world. */
  createdAt: fixtureInstantSchema.optional(),
})

/** The record that a fixture means: a personal token where it names a user, an admin token where not. */
export function completeApiToken(
  given: z.infer<typeof apiTokenFixtureSchema>,
  context: FixtureContext,
): ApiTokenRecord {
  const userId = given.userId ?? null
  return {
    secret: given.secret,
    type: given.type ?? (userId === null ? 'admin' : 'user'),
    tokenName: given.tokenName ?? given.secret.replace(/^.*[.:]/, ''),
    environment: given.environment ?? '*',
    projects: given.projects ?? ['*'],
    userId,
    expiresAt: instantOr(given.expiresAt, null, context),
    createdAt: instantOr(given.createdAt, context.now.toISOString(), context),
    ...(given.alias === undefined ? {} : { alias: given.alias }),
  }
}

export const apiTokenTable = defineTable({
  record: apiTokenRecordSchema,
  keyName: 'the secret of an API token',
  key: ({ secret }) => secret,
  indexes: {
    user: ({ userId }) => (userId === null ? [] : [userId]),
    alias: ({ alias = null }) => (alias === null ? [] : [alias]),
  },
  fixture: apiTokenFixtureSchema,
  complete: completeApiToken,
  *references({ userId }) {
    if (userId !== null) yield { at: 'userId', to: 'users', key: userId }
  },
})
