import * as z from 'zod'
import { instantSchema, sentInstantSchema } from '../../shared/schema.js'

const countSchema = z.int().min(0)

/** How often an application evaluated a feature in an environment, within one hour. */
export const clientMetricsRecordSchema = z.object({
  featureName: z.string(),
  /** The name of the application. */
  appName: z.string(),
  environment: z.string(),
  /** The start of the hour. */
  timestamp: instantSchema,
  /** How often it was on. Default: 0. */
  yes: countSchema,
  /** How often it was off. Default: 0. */
  no: countSchema,
  /** How often each variant was given. */
  variants: z.record(z.string(), countSchema),
})

export type ClientMetricsRecord = z.infer<typeof clientMetricsRecordSchema>

/** The key of a record: its unique fields as one text. */
export function clientMetricsKey(record: Omit<ClientMetricsRecord, 'yes' | 'no' | 'variants'>): string {
  return JSON.stringify([record.featureName, record.environment, record.appName, record.timestamp])
}

/** An instant as SDKs send it: a date-time, or milliseconds since 1970. */
const sdkInstantSchema = z.union([sentInstantSchema, z.int()], {
  error: 'must be an ISO 8601 date-time with a zone or an offset, or milliseconds since 1970',
})

const toggleSchema = z.object({
  yes: countSchema.optional(),
  no: countSchema.optional(),
  variants: z.record(z.string(), countSchema).nullable().optional(),
})

export const clientMetricsSchema = z
  .looseObject({
    appName: z.string().min(1, 'must not be empty'),
    instanceId: z.string().optional(),
    environment: z.string().optional(),
    bucket: z
      .object({ start: sdkInstantSchema, stop: sdkInstantSchema, toggles: z.record(z.string(), toggleSchema) })
      .nullable()
      .optional(),
  })
  .meta({ id: 'clientMetricsSchema', description: 'The metrics of an SDK since its last report' })

export type ClientMetrics = z.infer<typeof clientMetricsSchema>

const environmentMetricsSchema = z
  .looseObject({
    featureName: z.string(),
    appName: z.string(),
    environment: z.string(),
    timestamp: sdkInstantSchema.optional(),
    yes: countSchema.optional(),
    no: countSchema.optional(),
    variants: z.record(z.string(), countSchema).optional(),
  })
  .meta({ id: 'clientMetricsEnvSchema' })

export type EnvironmentMetrics = z.infer<typeof environmentMetricsSchema>

export const bulkMetricsSchema = z
  .looseObject({
    applications: z.array(
      z.looseObject({
        appName: z.string().min(1, 'must not be empty'),
        instanceId: z.string(),
        environment: z.string(),
      }),
    ),
    metrics: z.array(environmentMetricsSchema),
  })
  .meta({ id: 'bulkMetricsSchema', description: 'The metrics of many SDKs, as a proxy collects them' })

const usageSchema = z.lazy(() =>
  z
    .object({
      environment: z.string(),
      timestamp: instantSchema,
      yes: countSchema,
      no: countSchema,
      featureName: z.string().optional(),
      appName: z.string().optional(),
      variants: z.record(z.string(), countSchema).optional(),
    })
    .meta({ id: 'featureEnvironmentMetricsSchema' }),
)

export const featureUsageSchema = z
  .object({
    version: z.literal(1),
    maturity: z.literal('stable'),
    featureName: z.string(),
    lastHourUsage: z.array(usageSchema),
    seenApplications: z.array(z.string()),
  })
  .meta({ id: 'featureUsageSchema' })

export const featureMetricsSchema = z
  .object({ version: z.literal(1), maturity: z.literal('stable'), data: z.array(usageSchema) })
  .meta({ id: 'featureMetricsSchema' })

export const hoursBackQuerySchema = z.object({ hoursBack: z.string().optional() })
