import type { Frozen } from '../../../support/freeze.js'
import type { OperationContext } from '../../shared/context.js'
import { type FeatureEvent, saveFeature } from '../features/actions.js'
import { summarizeFeature } from '../features/present.js'
import type { FeatureRecord } from '../features/schema.js'

type Stored = Frozen<FeatureRecord>

export function setStale(context: OperationContext, feature: Stored, stale: boolean): void {
  const changed = { ...feature, stale }
  saveFeature(context, changed, staleEvents(feature, changed))
}

export function metadataUpdated(before: Stored, after: Stored): FeatureEvent {
  return { type: 'feature-metadata-updated', data: summarizeFeature(after), preData: summarizeFeature(before) }
}

/** The event of a feature that became stale or active; none if neither happened. */
export function staleEvents(before: Stored, after: Stored): FeatureEvent[] {
  if (before.stale === after.stale) return []
  return [{ type: after.stale ? 'feature-stale-on' : 'feature-stale-off', data: null }]
}
