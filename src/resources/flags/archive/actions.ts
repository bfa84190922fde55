import type { Failure } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import { logEvent } from '../../instance/events/actions.js'
import { findActiveProject } from '../../projects/projects/lookup.js'
import type { OperationContext } from '../../shared/context.js'
import { toInstant } from '../../shared/schema.js'
import { favoritesOf } from '../favorites/lookup.js'
import { saveFeature } from '../features/actions.js'
import { summarizeFeature } from '../features/present.js'
import { archiveFeatureRecord, reviveFeatureRecord } from '../features/rules.js'
import type { FeatureRecord } from '../features/schema.js'

type Stored = Frozen<FeatureRecord>

/** Archives a feature, which ends its dependencies. */
export function archive(context: OperationContext, feature: Stored): void {
  const archived = { ...archiveFeatureRecord(feature, toInstant(context.now)), dependencies: [] }
  const freed = feature.dependencies.length === 0 ? [] : [{ type: 'feature-dependencies-removed', data: null }]
  saveFeature(context, archived, [...freed, { type: 'feature-archived', data: null }])
}

/** Revives an archived feature; leaves an active one unchanged. */
export function revive(context: OperationContext, feature: Stored): Failure | undefined {
  if (!feature.archived) return undefined
  const project = findActiveProject(context.tables, feature.project)
  if (!project.ok) return project.failure
  const revived = reviveFeatureRecord(feature, toInstant(context.now))
  saveFeature(context, revived, [{ type: 'feature-revived', data: null }])
  return undefined
}

/** Deletes an archived feature and every reference to it; leaves an active one unchanged. */
export function remove(context: OperationContext, feature: Stored): undefined {
  if (!feature.archived) return
  const { features, favorites } = context.tables
  for (const child of features.by('parent', feature.name)) {
    features.replace({ ...child, dependencies: child.dependencies.filter((one) => one.feature !== feature.name) })
  }
  for (const key of favoritesOf(context.tables, 'feature', feature.name)) favorites.remove(key)
  features.remove(feature.name)
  const groupId = context.ids.ulid(context.now.getTime())
  logEvent(context, { type: 'feature-deleted', data: null, preData: summarizeFeature(feature), groupId }, feature)
}
