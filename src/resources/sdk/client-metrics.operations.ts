import { HOUR } from '../../support/calendar.js'
import type { Frozen } from '../../support/freeze.js'
import type { OperationContext, Tables } from '../shared/context.js'
import { operations, post } from '../shared/rows.js'
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
  firstOf,
  METRICS_KEPT,
  METRICS_LEFT,
  recordOf,
  seenFeature,
  sumOf,
} from './client-metrics.js'
import { recordImpact } from './impact-metrics.operations.js'
import { recordUnknownFlag } from './unknown-flags.operations.js'

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
export function metricsSince(
  tables: Tables,
  featureName: string,
  now: Date,
  hours: number,
): Frozen<ClientMetricsRecord>[] {
  const since = toInstant(now.getTime() - hours * HOUR)
  return tables.clientMetrics.by('feature', featureName).filter(({ timestamp }) => timestamp >= since)
}

/** Records the metrics that the calling SDK reports, and that the SDK has been seen: where, its token says. */
export function recordReport(context: OperationContext, report: ClientMetrics): void {
  recordInstances(context, [{ ...report, environment: undefined, projects: undefined }])
  recordMetrics(context, entriesOf(report, environmentOf(sdkScope(context.caller))))
}

/** The same for an SDK of a frontend, which is known only if it names itself: with an id, and in a header. */
export function recordFrontendReport(
  context: OperationContext,
  report: ClientMetrics,
  sdkVersion: string | null,
): void {
  const { environment, projects } = sdkScope(context.caller)
  const { appName, instanceId } = report
  if (instanceId && sdkVersion !== null) {
    const where = { environment: environmentOf({ environment }), projects }
    recordInstances(context, [{ appName, instanceId, sdkVersion, ...where, isFrontend: true }])
  }
  recordMetrics(context, entriesOf(report, environmentOf({ environment })))
}

/** Adds metrics to the known ones, and marks their features as seen. Notes unknown features. Ignores empty counts. */
export function recordMetrics({ tables, now }: OperationContext, entries: readonly ClientMetricsRecord[]): void {
  for (const entry of entries) {
    if (entry.yes === 0 && entry.no === 0) continue
    const feature = tables.features.get(entry.featureName)
    if (feature === undefined) {
      recordUnknownFlag(tables, entry, toInstant(now))
      continue
    }
    const known = tables.clientMetrics.get(clientMetricsKey(entry))
    tables.clientMetrics.replace(known === undefined ? firstOf(entry) : sumOf(known, entry))
    const { name, type } = tables.environments.get(entry.environment) ?? { name: entry.environment, type: '' }
    tables.features.replace(seenFeature(feature, { name, isProduction: type === 'production' }, toInstant(now)))
  }
  if (tables.clientMetrics.size > METRICS_KEPT) dropOldest(tables.clientMetrics)
}

/** Drops many records in one go, because finding the oldest takes a look at all of them. */
function dropOldest(clientMetrics: Tables['clientMetrics']): void {
  const oldestFirst = clientMetrics.list().toSorted((one, other) => (one.timestamp < other.timestamp ? -1 : 1))
  for (const entry of oldestFirst.slice(0, -METRICS_LEFT)) clientMetrics.remove(clientMetricsKey(entry))
}

/** The header in which an SDK of a frontend names itself: `unleash-client-js:5.0.0`. */
const SDK_HEADER = 'unleash-sdk'
export const clientMetricsOperations = [
  ...operations('Client', {
    clientBulkMetrics: post('/api/client/metrics/bulk', {
      summary: 'Report the metrics of many SDKs; only those of the environment of the token are recorded',
      access: 'client',
      leavesOut: 'seen tokens',
      body: bulkMetricsSchema,
      success: { status: 202, description: 'The metrics are recorded' },
      run: ({ body, context }) => {
        const own = environmentOf(sdkScope(context.caller))
        recordInstances(
          context,
          body.applications.map((one) => ({ ...one, isFrontend: one.sdkType === 'frontend' })),
        )
        const entries = body.metrics
          .filter(({ environment }) => environment === own)
          .map((entry) => recordOf(entry, context.now))
        recordMetrics(context, entries)
        recordImpact(context, body.impactMetrics)
      },
    }),

    registerClientMetrics: post('/api/client/metrics', {
      summary: 'Report how often features were evaluated',
      access: 'client',
      body: clientMetricsSchema,
      success: { status: 202, description: 'The metrics are recorded' },
      run: ({ body, context }) => {
        recordReport(context, body)
        recordImpact(context, body.impactMetrics)
      },
    }),
  }),
  ...operations('Frontend API', {
    registerFrontendMetrics: post('/api/frontend/client/metrics', {
      summary: 'Report how often features were evaluated, from a frontend',
      access: 'frontend',
      body: clientMetricsSchema,
      success: { status: 200, description: 'The metrics are recorded', text: 'text/plain' },
      run: ({ body, headers, context }) => {
        recordFrontendReport(context, body, headers.get(SDK_HEADER))
        recordImpact(context, body.impactMetrics)
        return { body: 'OK' }
      },
    }),
  }),
]
