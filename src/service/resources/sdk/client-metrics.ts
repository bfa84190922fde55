import * as z from 'zod'
import { HOUR } from '../../../support/calendar.js'
import type { Frozen } from '../../../support/freeze.js'
import { grouped } from '../../../support/lists.js'
import type { StoredFeature } from '../flags/features.js'
import { enterStage } from '../flags/lifecycle.js'
import { cappedSum } from '../shared/checks.js'
import { completed, given, instant, optional } from '../shared/fields.js'
import { object } from '../shared/object.js'
import { fixtureInstant, instantSchema, named, sentInstantSchema, toInstant, versioned } from '../shared/schema.js'
import { defineTable } from '../shared/table.js'

const someText = z.string().min(1)
const countSchema = z.int().min(0)

/** The counts of a feature's evaluations by an application in an environment, within one hour. */
const clientMetricsRecordSchema = object(() => ({
  featureName: given(z.string(), someText, 'The name of the feature.'),
  appName: optional(z.string(), 'unnamed-app', 'The name of the application.'),
  environment: given(z.string(), someText, 'The name of the environment.'),
  timestamp: instant('now', 'The start of the hour.'),
  yes: optional(z.int().min(0), 0, 'How often it was on.'),
  no: optional(z.int().min(0), 0, 'How often it was off.'),
  variants: optional(z.record(z.string(), countSchema), {}, 'The count of each variant.'),
}))

export type ClientMetricsRecord = z.infer<typeof clientMetricsRecordSchema>

/** The key of a record: its unique fields as one text. */
export function clientMetricsKey(record: Omit<ClientMetricsRecord, 'yes' | 'no' | 'variants'>): string {
  return JSON.stringify([record.featureName, record.environment, record.appName, record.timestamp])
}

/** An instant as SDKs send it: a date-time, or milliseconds since 1970. */
const sdkInstantSchema = z.union([sentInstantSchema, z.int()], {
  error: 'must be an ISO 8601 date-time with a zone or an offset, or milliseconds since 1970',
})

const toggleSchema = object(() => ({
  // The document allows a fraction here, and only here. It is rounded.
  yes: z.number().min(0).optional(),
  no: countSchema.optional(),
  variants: z.record(z.string(), countSchema).nullable().optional(),
}))

export const clientMetricsSchema = z
  .looseObject({
    appName: z.string().min(1, 'must not be empty'),
    instanceId: z.string().optional(),
    environment: z.string().optional(),
    sdkVersion: z.string().optional(),
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

export const bulkMetricsSchema = z
  .looseObject({
    applications: z.array(
      z.looseObject({
        appName: z.string(),
        instanceId: z.string(),
        environment: z.string(),
        sdkVersion: z.string().optional(),
        interval: z.number().optional(),
        started: sdkInstantSchema.optional(),
      }),
    ),
    metrics: z.array(environmentMetricsSchema),
  })
  .meta({ id: 'bulkMetricsSchema', description: 'The metrics of many SDKs, collected by a proxy' })

const usageSchema = named('featureEnvironmentMetricsSchema', () => ({
  environment: z.string(),
  timestamp: instantSchema,
  yes: countSchema,
  no: countSchema,
  featureName: z.string().optional(),
  appName: z.string().optional(),
  variants: z.record(z.string(), countSchema).optional(),
}))

export const featureUsageSchema = named('featureUsageSchema', () => ({
  version: z.literal(1),
  maturity: z.literal('stable'),
  featureName: z.string(),
  lastHourUsage: z.array(usageSchema),
  seenApplications: z.array(z.string()),
}))

export const featureMetricsSchema = versioned('featureMetricsSchema', () => ({
  maturity: z.literal('stable'),
  data: z.array(usageSchema),
}))

/** The maximum metric records in a world: one per feature, application, environment and hour. The oldest are dropped first. */
export const METRICS_KEPT = 20_000

/** The records that stay after the maximum was reached. */
export const METRICS_LEFT = 18_000

/** The maximum length of the name of an application with metrics. Metrics with a longer name are ignored. */
export const LONGEST_APPLICATION = 255

/** The maximum counted variants per record. The rest is ignored. */
export const VARIANTS_COUNTED = 100

export function hourOf(instant: string | number | Date): string {
  return toInstant(Math.floor(new Date(instant).getTime() / HOUR) * HOUR)
}

/** The records of an SDK's report, one per feature, with its time. */
export function entriesOf({ appName, bucket }: ClientMetrics, environment: string): ClientMetricsRecord[] {
  if (!bucket) return []
  const timestamp = toInstant(bucket.stop)
  return Object.entries(bucket.toggles).map(([featureName, { yes = 0, no = 0, variants }]) => {
    return { featureName, appName, environment, timestamp, yes: Math.round(yes), no, variants: variants ?? {} }
  })
}

/** The record of an entry in a report about many SDKs, with its time. */
export function metricsRecord(sent: z.infer<typeof environmentMetricsSchema>, now: Date): ClientMetricsRecord {
  const { featureName, appName, environment, timestamp = now, yes = 0, no = 0, variants = {} } = sent
  return { featureName, appName, environment, timestamp: toInstant(timestamp), yes, no, variants }
}

/** Adds reports of one hour to the stored counts of that hour. */
export function sumOf(
  reports: [ClientMetricsRecord, ...ClientMetricsRecord[]],
  known?: Metrics[number],
): ClientMetricsRecord {
  const sum = { ...(known ?? reports[0]), yes: known?.yes ?? 0, no: known?.no ?? 0 }
  const variants = new Map(Object.entries(known?.variants ?? {}))
  for (const report of reports) {
    sum.yes = cappedSum(sum.yes, report.yes)
    sum.no = cappedSum(sum.no, report.no)
    for (const [name, count] of Object.entries(report.variants)) {
      variants.set(name, cappedSum(variants.get(name) ?? 0, count))
    }
  }
  return { ...sum, variants: Object.fromEntries([...variants].slice(0, VARIANTS_COUNTED)) }
}

/**
 * A feature that was seen now, in general and in an environment. Its first use makes it pre-live, and its use in
 * production while it is on makes it live. A completed or archived feature also enters these stages.
 */
export function seenFeature(
  feature: StoredFeature,
  environment: { name: string; isProduction: boolean },
  now: string,
): StoredFeature {
  const environments = feature.environments.map((candidate) =>
    candidate.name === environment.name ? { ...candidate, lastSeenAt: now } : candidate,
  )
  const isOn = environments.some(({ name, enabled }) => name === environment.name && enabled)
  const isUsed = feature.lifecycle.stage !== 'live'
  const used = isUsed ? enterStage(feature, { stage: 'pre-live', enteredStageAt: now }) : {}
  const isLive = isUsed && environment.isProduction && isOn
  const life = isLive ? enterStage({ ...feature, ...used }, { stage: 'live', enteredStageAt: now }) : used
  return { ...feature, environments, lastSeenAt: now, ...life }
}

const hourOfGiven = ({ timestamp = 'now' }: { timestamp?: string | undefined }, { now }: { now: Date }) => ({
  timestamp: hourOf(fixtureInstant(timestamp, now)),
})

export const clientMetricsTable = defineTable({
  meaning: 'How often features were on and off, as reported by SDKs.',
  isReported: true,
  record: clientMetricsRecordSchema,
  keyName: 'client metrics',
  key: clientMetricsKey,
  indexes: { feature: ({ featureName }) => [featureName] },
  givenKey: (given, context) =>
    clientMetricsKey(completed(clientMetricsRecordSchema, given, context, hourOfGiven(given, context))),
  own: hourOfGiven,
})

type Metrics = readonly Frozen<ClientMetricsRecord>[]

/** The sums over all applications, one entry per environment. */
export function usageByEnvironment(metrics: Metrics) {
  return [...grouped(metrics, ({ environment }) => environment)].map(([environment, own]) => {
    const sum = (count: 'yes' | 'no') => own.reduce((total, entry) => total + entry[count], 0)
    return { environment, timestamp: own[0]?.timestamp, yes: sum('yes'), no: sum('no') }
  })
}

/** The metrics hour by hour, oldest first: one entry per environment and application, with zeros for hours without any. */
export function hourlyMetrics(metrics: Metrics, now: Date, hours: number) {
  const applications = distinct(metrics, ({ appName }) => appName)
  const environments = distinct(metrics, ({ environment }) => environment)
  const { featureName = '' } = metrics[0] ?? {}
  const known = new Map(metrics.map((entry) => [clientMetricsKey(entry), entry]))
  const current = Date.parse(hourOf(now))
  return Array.from({ length: hours }, (_, back) => toInstant(current - back * HOUR))
    .toReversed()
    .flatMap((timestamp) =>
      environments.flatMap((environment) =>
        applications.map((appName) => {
          const place = { timestamp, appName, environment, featureName }
          return known.get(clientMetricsKey(place)) ?? { timestamp, no: 0, yes: 0, appName, environment, featureName }
        }),
      ),
    )
}

function distinct(metrics: Metrics, value: (entry: Metrics[number]) => string): string[] {
  return [...new Set(metrics.map(value))]
}
