import * as z from 'zod'
import { DAY } from '../../support/calendar.js'
import { fixtureInstant, fixtureInstantSchema, instantSchema } from '../shared/schema.js'
import { defineTable, type FixtureContext } from '../shared/table.js'

/** An SDK that has registered or reported metrics. */
export const clientInstanceRecordSchema = z.object({
  appName: z.string(),
  /** The id of the instance. */
  instanceId: z.string(),
  environment: z.string(),
  /** The ids of the projects that it reads. */
  projects: z.array(z.string()),
  /** The SDK and its version, such as `unleash-client-node:6.1.0`. */
  sdkVersion: z.string().nullable(),
  /** The types of strategies that it knows. */
  strategies: z.array(z.string()),
  /** Whether its token is for frontends. Default: for backends. */
  isFrontend: z.boolean().optional(),
  createdAt: instantSchema,
  lastSeenAt: instantSchema,
})

export type ClientInstanceRecord = z.infer<typeof clientInstanceRecordSchema>

/** The key of a record: its unique fields as one text. */
export function clientInstanceKey({
  appName,
  instanceId,
  environment,
}: Pick<ClientInstanceRecord, 'appName' | 'instanceId' | 'environment'>): string {
  return JSON.stringify([appName, instanceId, environment])
}

export const clientApplicationSchema = z
  .looseObject({
    appName: z.string().min(1, 'must not be empty'),
    instanceId: z.string().optional(),
    environment: z.string().optional(),
    sdkVersion: z.string().optional(),
    interval: z.number().min(0, 'must not be below 0'),
    started: z.union([z.iso.datetime({ offset: true }), z.number()], {
      error: 'must be an ISO 8601 date-time with a zone or an offset, or milliseconds since 1970',
    }),
    strategies: z.array(z.string()),
  })
  .meta({ id: 'clientApplicationSchema' })

export const frontendClientSchema = z
  .looseObject({
    appName: z.string().min(1, 'must not be empty'),
    instanceId: z.string().optional(),
    environment: z.string().optional(),
  })
  .meta({ id: 'frontendApiClientSchema' })

/** SDKs that a world knows. Those not seen for longest are forgotten first. */
export const INSTANCES_KEPT = 1000

/** SDKs that are left when there were too many. */
export const INSTANCES_LEFT = 900

/** How long an SDK is known after it was last seen: as long as the statistics of the instance look back. */
export const INSTANCE_KEPT_FOR = 30 * DAY

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
