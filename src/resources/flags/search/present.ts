import type { Frozen } from '../../../support/freeze.js'
import { byEnvironment } from '../../projects/environments/rules.js'
import { countsOf } from '../../sdk/client-metrics/lookup.js'
import type { OperationContext, Tables } from '../../shared/context.js'
import { isFavorite } from '../favorites/lookup.js'
import { presentEnvironment } from '../features/present.js'
import type { FeatureRecord } from '../features/schema.js'
import { presentTagOfFeature } from '../tags/present.js'
import { segmentNames } from './lookup.js'
import type { FoundFeature } from './schema.js'

/** A feature in search results. */
export function presentFoundFeature(
  feature: Frozen<FeatureRecord>,
  { tables, caller, now }: Pick<OperationContext, 'tables' | 'caller' | 'now'>,
): Frozen<FoundFeature> {
  return {
    type: feature.type,
    description: feature.description,
    project: feature.project,
    favorite: isFavorite(tables, caller.id, 'feature', feature.name),
    name: feature.name,
    createdAt: feature.createdAt,
    stale: feature.stale,
    archivedAt: feature.archivedAt,
    impressionData: feature.impressionData,
    dependencyType: dependencyType(feature, tables),
    environments: byEnvironment(feature.environments, tables.environments).map((environment) => ({
      ...presentEnvironment(environment, tables),
      ...countsOf(tables, now, { featureName: feature.name, environment: environment.name }),
      changeRequestIds: [],
    })),
    segments: segmentNames(feature, tables),
    createdBy: feature.createdBy,
    lifecycle: feature.lifecycle,
    ...(feature.tags.length === 0 ? {} : { tags: feature.tags.map((tag) => presentTagOfFeature(tag, tables)) }),
  }
}

/** `parent` if other features depend on this one, else `child` if it depends on others. */
function dependencyType({ name, dependencies }: Frozen<FeatureRecord>, tables: Tables): FoundFeature['dependencyType'] {
  if (tables.features.count('parent', name) > 0) return 'parent'
  return dependencies.length > 0 ? 'child' : null
}
