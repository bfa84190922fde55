import * as z from 'zod'
import { fixtureInstant, fixtureInstantSchema } from '../../shared/schema.js'
import { defineTable } from '../../shared/table.js'
import { EVERYWHERE } from './rules.js'
import { applicationRecordSchema } from './schema.js'

export const applicationTable = defineTable({
  record: applicationRecordSchema,
  keyName: 'the name of an application',
  key: ({ appName }) => appName,
  indexes: {},
  fixture: z.strictObject({
    ...applicationRecordSchema.partial().shape,
    /** Its name. */
    appName: z.string().min(1),
    /** When it was first seen. Default: the start of the world. */
    createdAt: fixtureInstantSchema.optional(),
  }),
  complete: (given, context) => ({
    appName: given.appName,
    description: given.description ?? null,
    url: given.url ?? null,
    color: given.color ?? null,
    icon: given.icon ?? null,
    strategies: given.strategies ?? [],
    usage: given.usage ?? [EVERYWHERE],
    createdAt: fixtureInstant(given.createdAt ?? 'now', context.now),
  }),
})
