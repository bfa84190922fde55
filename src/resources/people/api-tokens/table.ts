import * as z from 'zod'
import { listOfNames } from '../../shared/given-list.js'
import { fixtureInstant, fixtureInstantSchema } from '../../shared/schema.js'
import { defineTable, instantOr } from '../../shared/table.js'
import { apiTokenRecordSchema } from './schema.js'

export const apiTokenTable = defineTable({
  record: apiTokenRecordSchema,
  keyName: 'the secret of an API token',
  key: ({ secret }) => secret,
  indexes: {
    user: ({ userId }) => (userId === null ? [] : [userId]),
    alias: ({ alias = null }) => (alias === null ? [] : [alias]),
  },
  fixture: z.strictObject({
    ...apiTokenRecordSchema.partial().shape,
    /** The value of the header `Authorization`. */
    secret: z.string().min(1),
    /** The ids of the projects that it is for, or `*`. */
    projects: listOfNames().optional(),
    /** When it expires. Default: null, never. */
    expiresAt: fixtureInstantSchema.nullable().optional(),
    /** When it was created. Default: the start of the world. */
    createdAt: fixtureInstantSchema.optional(),
  }),
  complete(given, context) {
    const userId = given.userId ?? null
    return {
      secret: given.secret,
      type: given.type ?? (userId === null ? 'admin' : 'user'),
      tokenName: given.tokenName ?? given.secret.replace(/^.*[.:]/, ''),
      environment: given.environment ?? '*',
      projects: given.projects ?? ['*'],
      userId,
      expiresAt: instantOr(given.expiresAt, null, context),
      createdAt: fixtureInstant(given.createdAt ?? 'now', context.now),
      ...(given.alias === undefined ? {} : { alias: given.alias }),
    }
  },
  *references({ userId }) {
    if (userId !== null) yield { at: 'userId', to: 'users', key: userId }
  },
})
