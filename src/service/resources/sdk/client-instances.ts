import * as z from 'zod'
import { DAY } from '../../../support/calendar.js'
import type { Frozen } from '../../../support/freeze.js'
import { completed, field, given, instant, optional } from '../shared/fields.js'
import { object } from '../shared/object.js'
import { sentInstantSchema } from '../shared/schema.js'
import { defineTable } from '../shared/table.js'

const someText = z.string().min(1)

/** An SDK that has registered or reported metrics. */
const clientInstanceRecordSchema = object(() => ({
  appName: given(z.string(), someText, 'The name of the application.'),
  instanceId: optional(z.string(), 'default', 'The ID of the instance.'),
  environment: given(z.string(), someText, 'The name of the environment.'),
  projects: optional(z.array(z.string()), ['*'], 'The IDs of the projects that it uses.'),
  sdkVersion: optional(z.string().nullable(), null, 'The SDK and its version, such as `unleash-client-node:6.1.0`.'),
  strategies: optional(z.array(z.string()), [], 'The supported strategy types in its first report.'),
  onlyCounted: field(z.boolean().optional(), 'Whether its first report was only of metrics.'),
  isFrontend: field(z.boolean().optional(), 'Whether it has a frontend token; if left out, not known.'),
  createdAt: instant('now', 'The time of registration.'),
  lastSeenAt: instant('now', 'The time of the last report.'),
}))

export type ClientInstanceRecord = z.infer<typeof clientInstanceRecordSchema>

export type StoredInstance = Frozen<ClientInstanceRecord>

/** The key of a record: its unique fields as one text. */
export function clientInstanceKey(
  record: Pick<ClientInstanceRecord, 'appName' | 'instanceId' | 'environment'>,
): string {
  return JSON.stringify([record.appName, record.instanceId, record.environment])
}

/** Whether an SDK has described itself, or else only reported metrics. */
export function isRegistered({ sdkVersion, strategies, isFrontend }: StoredInstance): boolean {
  return isFrontend !== undefined || sdkVersion !== null || strategies.length > 0
}

export const clientApplicationSchema = z
  .looseObject({
    appName: z.string().min(1, 'must not be empty'),
    instanceId: z.string().optional(),
    environment: z.string().optional(),
    sdkVersion: z.string().min(1, 'must not be empty').optional(),
    interval: z.number().min(0, 'must not be below 0'),
    started: z.union([sentInstantSchema, z.number()], {
      error: 'must be an ISO 8601 date-time with a zone or an offset, or milliseconds since 1970',
    }),
    strategies: z.array(z.string()),
  })
  .meta({ id: 'clientApplicationSchema' })

/** The maximum SDKs in a world. The least recently seen are dropped first. */
export const INSTANCES_KEPT = 1000

/** The SDKs that stay after the maximum was reached. */
export const INSTANCES_LEFT = 900

/** The time after which an unseen SDK is dropped: the period of the instance's statistics. */
export const INSTANCE_KEPT_FOR = 30 * DAY

export const clientInstanceTable = defineTable({
  meaning: 'Running SDKs.',
  isReported: true,
  record: clientInstanceRecordSchema,
  keyName: 'a client instance',
  key: clientInstanceKey,
  givenKey: (given, context) => clientInstanceKey(completed(clientInstanceRecordSchema, given, context)),
})
