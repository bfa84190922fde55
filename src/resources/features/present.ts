import type { Frozen } from '../../support/freeze.js'
import type { FeatureEnvironment } from '../feature-environments/schema.js'
import type { Tables } from '../world.js'
import type { Feature, FeatureRecord } from './schema.js'

type Stored = Frozen<FeatureRecord>

/** A feature as `getFeature` and `cloneFeature` answer it: the whole of the document's featureSchema. */
export function presentFeature(feature: Stored, tables: Tables): Frozen<Feature> {
  return {
    name: feature.name,
    type: feature.type,
    description: feature.description,
    archived: feature.archived,
    project: feature.project,
    enabled: feature.environments.some(({ enabled }) => enabled),
    stale: feature.stale,
    favorite: false,
    impressionData: feature.impressionData,
    createdAt: feature.createdAt,
    createdBy: feature.createdBy,
    archivedAt: feature.archivedAt,
    lastSeenAt: feature.lastSeenAt,
    environments: feature.environments.map((environment) => ({
      ...presentEnvironment(environment, tables),
      featureName: feature.name,
      environment: environment.name,
      strategies: environment.strategies.map((strategy) => ({ ...strategy, featureName: feature.name })),
      variants: environment.variants,
    })),
    variants: [],
    strategies: [],
    tags: feature.tags,
    children: tables.features
      .by('parent', feature.name)
      .filter(({ archived }) => !archived)
      .map(({ name }) => name),
    lifecycle: feature.lifecycle,
    dependencies: feature.dependencies,
    collaborators: feature.collaborators,
  }
}

/** A feature as the list of a project shows it: its environments in numbers. */
export function presentListedFeature(feature: Stored, tables: Tables) {
  return {
    type: feature.type,
    description: feature.description,
    favorite: false,
    name: feature.name,
    createdAt: feature.createdAt,
    stale: feature.stale,
    impressionData: feature.impressionData,
    tags: feature.tags,
    environments: feature.environments.map((environment) => presentEnvironment(environment, tables)),
  }
}

/** A feature as its `feature-created` event tells of it. */
export function summarizeFeature(feature: Stored) {
  const { name, description, type, project, stale, createdAt, impressionData, archived } = feature
  return { name, description, type, project, stale, createdAt, impressionData, archived }
}

function presentEnvironment(environment: Frozen<FeatureEnvironment>, tables: Tables) {
  const { name, enabled, lastSeenAt, strategies, variants } = environment
  const known = tables.environments.get(name)
  return {
    name,
    type: known?.type ?? 'production',
    enabled,
    sortOrder: known?.sortOrder ?? 0,
    variantCount: variants.length,
    lastSeenAt,
    hasStrategies: strategies.length > 0,
    hasEnabledStrategies: strategies.some(({ disabled }) => !disabled),
  }
}
