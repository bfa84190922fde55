import * as z from 'zod'
import { fixtureInstantSchema } from '../../shared/schema.js'
import { defineTable, type FixtureContext, instantOr } from '../../shared/table.js'
import { type ApplicationRecord, applicationRecordSchema } from './schema.js'

/** What is noted about an application, as a fixture may give it: only its name is needed. */
export const applicationFixtureSchema = z.strictObject({
  ...applicationRecordSchema.partial().shape,
  /** Its name. */
  appName: z.string().min(1),
  /** When it was first seen. Default: the start of the world. */
  createdAt: fixtureInstantSchema.optional(),
})

export function completeApplication(
  given: z.infer<typeof applicationFixtureSchema>,
  context: FixtureContext,
): ApplicationRecord {
  return {
    appName: given.appName,
    description: given.description ?? null,
    url: given.url ?? null,
    color: given.color ?? null,
    icon: given.icon ?? null,
    strategies: given.strategies ?? [],
    createdAt: instantOr(given.createdAt, context.now.toISOString(), context),
  }
}

export const applicationTable = defineTable({
  record: applicationRecordSchema,
  keyName: 'the name of an application',
  key: ({ appName }) => appName,
  indexes: {},
  fixture: applicationFixtureSchema,
  complete: completeApplication,
})
