import * as z from 'zod'
import { fixtureInstant, fixtureInstantSchema } from '../../shared/schema.js'
import { defineTable, type FixtureContext } from '../../shared/table.js'
import { type ClientInstanceRecord, clientInstanceKey, clientInstanceRecordSchema } from './schema.js'

/** An SDK as a fixture may give it: of an application in an environment. */
const clientInstanceFixtureSchema = z.strictObject({
  ...clientInstanceRecordSchema.partial().shape,
  /** The name of the application. */
  appName: z.string().min(1),
  /** The name of the environment. */
  environment: z.string().min(1),
  /** When it registered. Default: the start of the world. */
  createdAt: fixtureInstantSchema.optional(),
  /** When it last reported. Default: the start of the world. */
  lastSeenAt: fixtureInstantSchema.optional(),
})

/** The record that a fixture means. */
function completeClientInstance(
  given: z.infer<typeof clientInstanceFixtureSchema>,
  { now }: FixtureContext,
): ClientInstanceRecord {
  return {
    appName: given.appName,
    instanceId: given.instanceId ?? 'default',
    environment: given.environment,
    projects: given.projects ?? ['*'],
    sdkVersion: given.sdkVersion ?? null,
    strategies: given.strategies ?? [],
    ...(given.isFrontend === undefined ? {} : { isFrontend: given.isFrontend }),
    createdAt: fixtureInstant(given.createdAt ?? 'now', now),
    lastSeenAt: fixtureInstant(given.lastSeenAt ?? 'now', now),
  }
}

export const clientInstanceTable = defineTable({
  record: clientInstanceRecordSchema,
  keyName: 'a client instance',
  key: clientInstanceKey,
  indexes: {},
  givenKey: (given, context) => clientInstanceKey(completeClientInstance(given, context)),
  fixture: clientInstanceFixtureSchema,
  complete: completeClientInstance,
})
