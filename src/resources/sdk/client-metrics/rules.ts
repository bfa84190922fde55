import { HOUR } from '../../../support/duration.js'
import type { Frozen } from '../../../support/freeze.js'
import type { FeatureRecord } from '../../flags/features/schema.js'
import { enterStage } from '../../flags/lifecycle/rules.js'
import { toInstant } from '../../shared/schema.js'
import type { ClientMetrics, ClientMetricsRecord, EnvironmentMetrics } from './schema.js'

/** Records of metrics that a world keeps: one per feature, application, environment and hour. The oldest are dropped first. */
export const METRICS_KEPT = 20_000

/** Records that are left when there were too many. */
export const METRICS_LEFT = 18_000

/** Variants that are counted per record. Further ones are ignored. */
export const VARIANTS_COUNTED = 100

/** The start of the hour of an instant. */
export function hourOf(instant: string | number | Date): string {
  return toInstant(Math.floor(new Date(instant).getTime() / HOUR) * HOUR)
}

/** The starts of the current hour and of those before it, newest first. */
export function hoursBefore(now: Date, count: number): string[] {
  const current = Date.parse(hourOf(now))
  return Array.from({ length: count }, (_, back) => toInstant(current - back * HOUR))
}

/** The records of an SDK's report, one per feature. */
export function entriesOf({ appName, bucket }: ClientMetrics, environment: string): ClientMetricsRecord[] {
  if (bucket === null || bucket === undefined) return []
  return Object.entries(bucket.toggles).map(([featureName, { yes = 0, no = 0, variants }]) => ({
    featureName,
    appName,
    environment,
    timestamp: hourOf(bucket.stop),
    yes,
    no,
    variants: variants ?? {},
  }))
}

/** The record of an entry in a report about many SDKs. */
export function recordOf(
  { featureName, appName, environment, timestamp, yes = 0, no = 0, variants = {} }: EnvironmentMetrics,
  now: Date,
): ClientMetricsRecord {
  return { featureName, appName, environment, timestamp: hourOf(timestamp ?? now), yes, no, variants }
}

/** A first record, without the variants beyond the limit. */
export function firstOf(entry: ClientMetricsRecord): ClientMetricsRecord {
  return { ...entry, variants: Object.fromEntries(Object.entries(entry.variants).slice(0, VARIANTS_COUNTED)) }
}

/** The sum of two records of the same hour. */
export function sumOf(one: Frozen<ClientMetricsRecord>, other: Frozen<ClientMetricsRecord>): ClientMetricsRecord {
  const totals = new Map(Object.entries(one.variants))
  for (const [name, count] of Object.entries(other.variants)) totals.set(name, (totals.get(name) ?? 0) + count)
  return {
    ...one,
    yes: one.yes + other.yes,
    no: one.no + other.no,
    variants: Object.fromEntries([...totals].slice(0, VARIANTS_COUNTED)),
  }
}

/**
 * A feature that was seen now, in general and in an environment. Being seen anywhere ends its initial lifecycle stage;
 * being seen in production while it is on makes it live.
 */
export function seenFeature(
  feature: Frozen<FeatureRecord>,
  environment: { name: string; isProduction: boolean },
  now: string,
): Frozen<FeatureRecord> {
  const environments = feature.environments.map((candidate) =>
    candidate.name === environment.name ? { ...candidate, lastSeenAt: now } : candidate,
  )
  const isOn = environments.some(({ name, enabled }) => name === environment.name && enabled)
  const { stage } = feature.lifecycle
  const next = environment.isProduction && isOn ? 'live' : 'pre-live'
  const moves = stage === 'initial' || (stage === 'pre-live' && next === 'live')
  return {
    ...feature,
    environments,
    lastSeenAt: now,
    ...(moves ? enterStage(feature, { stage: next, enteredStageAt: now }) : {}),
  }
}
