import { HOUR } from '../../../support/duration.js'
import type { Frozen } from '../../../support/freeze.js'
import type { Tables } from '../../shared/context.js'
import { toInstant } from '../../shared/schema.js'
import type { ClientMetricsRecord } from './schema.js'

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
