import { HOUR } from '../../../support/duration.js'
import type { Frozen } from '../../../support/freeze.js'
import type { Tables } from '../../shared/context.js'
import { toInstant } from '../../shared/schema.js'
import type { ClientMetricsRecord } from './schema.js'

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
