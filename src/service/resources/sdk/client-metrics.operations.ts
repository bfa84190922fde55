import * as z from 'zod'
import { HOUR } from '../../../support/calendar.js'
import { none } from '../../../support/freeze.js'
import { grouped } from '../../../support/lists.js'
import { failureAt, reject } from '../../contract/errors.js'
import { findFeature } from '../flags/features.model.js'
import { ascending, byName, compareTexts, distinct } from '../shared/checks.js'
import type { OperationContext, SdkKind, Tables } from '../shared/context.js'
import { get, ok, operations, PROMETHEUS, post } from '../shared/rows.js'
import { toInstant } from '../shared/schema.js'
import { environmentOf } from './client-features.js'
import { sdkScope } from './client-features.operations.js'
import { recordInstances } from './client-instances.operations.js'
import {
  bulkMetricsSchema,
  type ClientMetrics,
  type ClientMetricsRecord,
  clientMetricsKey,
  clientMetricsSchema,
  entriesOf,
  featureMetricsSchema,
  featureUsageSchema,
  hourlyMetrics,
  hourOf,
  LONGEST_APPLICATION,
  METRICS_KEPT,
  METRICS_LEFT,
  metricsRecord,
  seenFeature,
  sumOf,
  usageByEnvironment,
} from './client-metrics.js'
import { impactMetricSchema, mergeMetrics, metricName, presentMetrics } from './impact-metrics.js'
import { lastSeenAt, UNKNOWN_FLAGS_KEPT, unknownFlagsSchema, withSightings } from './unknown-flags.js'

/** How often a feature was on and off in an environment, in the hours that began less than an hour ago. */
export function countsOf(
  tables: Tables,
  now: Date,
  { featureName, environment }: { featureName: string; environment: string },
): { yes: number; no: number } {
  const counts = { yes: 0, no: 0 }
  for (const entry of metricsSince(tables, featureName, now, 1)) {
    if (entry.environment !== environment) continue
    counts.yes += entry.yes
    counts.no += entry.no
  }
  return counts
}

/** The metrics of a feature in the last hours. */
function metricsSince(tables: Tables, featureName: string, now: Date, hours: number) {
  const since = toInstant(now.getTime() - hours * HOUR)
  return tables.clientMetrics.by('feature', featureName).filter(({ timestamp }) => timestamp >= since)
}

/** Unleash knows an SDK of a frontend only if it identifies itself: with an ID, and in a header. */
function recordFrontendReport(context: OperationContext, report: ClientMetrics, headers: Headers): void {
  const { environment, projects } = sdkScope(context.caller)
  const { appName, instanceId } = report
  const sdkVersion = headers.get(SDK_HEADER)
  if (instanceId && sdkVersion !== null) {
    const where = { environment: environmentOf({ environment }), projects }
    recordInstances(context, [{ appName, instanceId, sdkVersion, ...where, isFrontend: true }])
  }
  recordMetrics(context, entriesOf(report, environmentOf({ environment })), { kind: 'frontend', headers })
}

/** The SDK behind a report. */
interface ReportSource {
  kind: SdkKind
  headers: Headers
}

/** Adds metrics to the known ones, and marks their features as seen. Records unknown features. Ignores empty counts and long names. */
function recordMetrics(
  { tables, now, seen }: OperationContext,
  entries: readonly ClientMetricsRecord[],
  { kind, headers }: ReportSource,
): void {
  const counted = entries.filter(
    ({ yes, no, appName }) => (yes !== 0 || no !== 0) && appName.length <= LONGEST_APPLICATION,
  )
  const isKnown = ({ featureName }: ClientMetricsRecord) => tables.features.has(featureName)
  const reported = counted.map(({ featureName, yes, no, variants }) => {
    return { name: featureName, exists: tables.features.get(featureName)?.archived === false, yes, no, variants }
  })
  seen?.reported(kind, headers, reported)
  const known = counted.filter(isKnown).map((entry) => ({ ...entry, timestamp: hourOf(entry.timestamp) }))
  for (const [key, reports] of grouped(known, clientMetricsKey)) {
    tables.clientMetrics.replace(sumOf(reports, tables.clientMetrics.get(key)))
  }
  const placeOf = ({ featureName, environment }: ClientMetricsRecord) => JSON.stringify([featureName, environment])
  for (const [{ featureName, environment }] of grouped(known, placeOf).values()) {
    const { name, type } = tables.environments.get(environment) ?? { name: environment, type: '' }
    const feature = seenFeature(
      findFeature(tables, featureName),
      { name, isProduction: type === 'production' },
      toInstant(now),
    )
    tables.features.replace(feature)
  }
  const unknown = counted.filter((entry) => !isKnown(entry))
  recordUnknownFlags(tables, unknown)
  if (tables.clientMetrics.size > METRICS_KEPT) dropOldest(tables.clientMetrics)
}

/** Drops many records at once, because finding the oldest takes a pass over all. */
function dropOldest(clientMetrics: Tables['clientMetrics']): void {
  const oldestFirst = clientMetrics.list().toSorted((one, other) => ascending(one.timestamp, other.timestamp))
  for (const entry of oldestFirst.slice(0, -METRICS_LEFT)) clientMetrics.remove(clientMetricsKey(entry))
}

function recordUnknownFlags({ unknownFlags }: Tables, entries: readonly ClientMetricsRecord[]): void {
  for (const [name, sightings] of grouped(entries, ({ featureName }) => featureName)) {
    const known = unknownFlags.get(name)
    if (known === undefined && unknownFlags.size >= UNKNOWN_FLAGS_KEPT) continue
    unknownFlags.replace({ name, reports: withSightings(known?.reports ?? none, sightings) })
  }
}

/** Records the impact metrics of a report. Unleash ignores malformed metrics. */
function recordImpact({ tables: { impactMetrics } }: OperationContext, sent: unknown): void {
  const metrics = (Array.isArray(sent) ? sent : []).flatMap((given) => {
    const { data } = impactMetricSchema.safeParse(given)
    return data === undefined ? [] : [{ ...data, name: metricName(data.name) }]
  })
  for (const [name, reports] of grouped(metrics, (metric) => metric.name)) {
    const known = impactMetrics.get(name)
    const type = known?.type ?? reports[0]?.type
    const merged = mergeMetrics([
      ...(known === undefined ? [] : [known]),
      ...reports.filter((one) => one.type === type),
    ])
    if (merged !== undefined) impactMetrics.replace(merged)
  }
}

/** The header in which an SDK of a frontend identifies itself: `unleash-client-js:5.0.0`. */
const SDK_HEADER = 'unleash-sdk'
export const clientMetricsOperations = [
  ...operations('Client', {
    clientBulkMetrics: post('/api/client/metrics/bulk', {
      isStep: false,
      summary: 'Report the metrics of many SDKs; only those of the environment of the token are recorded',
      access: 'client',
      leavesOut: 'seen tokens',
      body: bulkMetricsSchema,
      success: { status: 202, description: 'The metrics are recorded' },
      bodiless: ['nothingToChange'],
      run: ({ body, headers, context }) => {
        const instances = body.applications
          .filter(({ appName }) => appName !== '')
          .map((one) => ({ ...one, isFrontend: one.sdkType === 'frontend' && one.sdkVersion !== undefined }))
        const isComplete = ({ isFrontend, interval, started, sdkVersion }: (typeof instances)[number]) =>
          isFrontend || (interval !== undefined && started !== undefined && sdkVersion !== '')
        if (!instances.every(isComplete)) {
          const message = 'An application needs "interval" and "started", and no empty "sdkVersion".'
          reject(failureAt('nothingToChange', message, '/body/applications'))
        }
        const own = environmentOf(sdkScope(context.caller))
        recordInstances(context, instances)
        const reported = body.metrics.filter(({ appName, environment }) => appName !== '' && environment === own)
        const entries = reported.map((entry) => metricsRecord(entry, context.now))
        recordMetrics(context, entries, { kind: 'server', headers })
        recordImpact(context, body.impactMetrics)
      },
    }),

    registerClientMetrics: post('/api/client/metrics', {
      isStep: false,
      summary: 'Report how often features were evaluated',
      access: 'client',
      body: clientMetricsSchema,
      success: { status: 202, description: 'The metrics are recorded' },
      run: ({ body, headers, context }) => {
        // The token determines the SDK's environment.
        recordInstances(context, [{ appName: body.appName, instanceId: body.instanceId }])
        recordMetrics(context, entriesOf(body, environmentOf(sdkScope(context.caller))), { kind: 'server', headers })
        recordImpact(context, body.impactMetrics)
      },
    }),
  }),
  ...operations('Frontend API', {
    registerFrontendMetrics: post('/api/frontend/client/metrics', {
      isStep: false,
      summary: 'Report how often features were evaluated, from a frontend',
      access: 'frontend',
      body: clientMetricsSchema,
      success: { status: 200, description: 'The metrics are recorded', text: 'text/plain' },
      run: ({ body, headers, context }) => {
        recordFrontendReport(context, body, headers)
        recordImpact(context, body.impactMetrics)
        return { body: 'OK' }
      },
    }),
  }),
]

/** The hours of metrics in a response, by default and at most. */
const HOURS_BACK = { usual: 24, most: 48 }
export const clientMetricsReadOperations = operations('Metrics', {
  getFeatureUsageSummary: get('/api/admin/client-metrics/features/:name', {
    summary: 'Get the usage of a feature in the last hour, and the applications that use it',
    success: ok('The usage of the feature', featureUsageSchema),
    errors: [],
    run: ({ params: { name }, context: { tables, now } }) => {
      const lastHourUsage = usageByEnvironment(metricsSince(tables, name, now, 1))
      const recent = metricsSince(tables, name, now, HOURS_BACK.usual)
      const seenApplications = distinct(recent.map(({ appName }) => appName)).toSorted(compareTexts)
      return { body: { version: 1, maturity: 'stable', featureName: name, lastHourUsage, seenApplications } }
    },
  }),

  getRawFeatureMetrics: get('/api/admin/client-metrics/features/:name/raw', {
    summary: 'Get the usage of a feature, hour by hour, per environment and application',
    query: z.object({ hoursBack: z.string().optional() }),
    success: ok('The usage of the feature', featureMetricsSchema),
    errors: [],
    run: ({ params: { name }, query, context: { tables, now } }) => {
      const asked = Number(query.hoursBack)
      const hours = asked >= 1 && asked <= HOURS_BACK.most ? asked : HOURS_BACK.usual
      const data = hourlyMetrics(metricsSince(tables, name, now, hours), now, hours)
      return { body: { version: 1, maturity: 'stable', data } }
    },
  }),
})

export const unknownFlagOperations = operations('Metrics', {
  getUnknownFlags: get('/api/admin/metrics/unknown-flags', {
    summary: 'List the names in SDK reports without a feature',
    success: ok('The names, each with its applications and environments', unknownFlagsSchema),
    run: ({ tables }) => {
      const unknown = tables.unknownFlags.list().filter(({ name }) => !tables.features.has(name))
      const lastEvents = new Map<string | null, string>()
      for (const { featureName, createdAt } of tables.events.newestFirst()) {
        if (!lastEvents.has(featureName)) lastEvents.set(featureName, createdAt)
      }
      const shown = unknown.map((flag) => ({
        ...flag,
        lastSeenAt: lastSeenAt(flag),
        lastEventAt: lastEvents.get(flag.name) ?? null,
      }))
      return { body: { unknownFlags: shown.toSorted(byName) } }
    },
  }),
})

export const impactMetricOperations = operations('Operational', {
  getImpactMetrics: get('/internal-backstage/impact/metrics', {
    summary: 'Get the impact metrics of all applications, for Prometheus',
    access: 'public',
    ignoresBody: true,
    success: { status: 200, description: 'The metrics', text: PROMETHEUS },
    run: ({ tables }) => ({ body: `${presentMetrics(tables.impactMetrics.list())}\n` }),
  }),
})
