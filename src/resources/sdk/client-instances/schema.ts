import * as z from 'zod'
import { instantSchema } from '../../shared/schema.js'

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
