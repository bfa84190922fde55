import type { Frozen } from '../../../support/freeze.js'
import type { Tables } from '../../shared/context.js'
import { isFavorite } from '../favorites/lookup.js'
import type { FeatureEnvironment } from '../feature-environments/schema.js'
import type { Strategy } from '../strategies/schema.js'
import type { Feature, FeatureRecord } from './schema.js'

type Stored = Frozen<FeatureRecord>

/**
 * A feature as `getFeature` and `cloneFeature` answer it: the whole of the document's featureSchema. `viewer` is the
 * user whose favourite it may be.
 */
export function presentFeature(feature: Stored, tables: Tables, viewer?: number): Frozen<Feature> {
  return {
    name: feature.name,
    type: feature.type,
    description: feature.description,
    archived: feature.archived,
    project: feature.project,
    enabled: feature.environments.some(({ enabled }) => enabled),
    stale: feature.stale,
    favorite: isFavorite(tables, viewer, 'feature', feature.name),
    impressionData: feature.impressionData,
    createdAt: feature.createdAt,
    createdBy: feature.createdBy,
    archivedAt: feature.archivedAt,
    lastSeenAt: feature.lastSeenAt,
    environments: feature.environments.map((environment) => presentWholeEnvironment(environment, feature.name, tables)),
    variants: [],
    strategies: [],
    tags: feature.tags,
    children: presentChildren(feature, tables),
    lifecycle: feature.lifecycle,
    dependencies: feature.dependencies,
    collaborators: feature.collaborators,
  }
}

/** A feature as the list of a project shows it: its environments in numbers. */
export function presentListedFeature(feature: Stored, tables: Tables, viewer?: number) {
  return {
    type: feature.type,
    description: feature.description,
    favorite: isFavorite(tables, viewer, 'feature', feature.name),
    name: feature.name,
    createdAt: feature.createdAt,
    stale: feature.stale,
    impressionData: feature.impressionData,
    tags: feature.tags,
    environments: feature.environments.map((environment) => presentEnvironment(environment, tables)),
  }
}

/** A feature in brief: as events tell of it. */
export function summarizeFeature(feature: Stored) {
  const { name, description, type, project, stale, createdAt, impressionData, archived, archivedAt } = feature
  const brief = { name, description, type, project, stale, createdAt, impressionData, archived }
  return archivedAt === null ? brief : { ...brief, archivedAt }
}

/** The names of the active features that depend on one. */
export function presentChildren({ name }: Stored, tables: Tables): string[] {
  return tables.features
    .by('parent', name)
    .filter(({ archived }) => !archived)
    .map((child) => child.name)
}

export function presentEnvironment(environment: Frozen<FeatureEnvironment>, tables: Tables) {
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

function presentWholeEnvironment(environment: Frozen<FeatureEnvironment>, featureName: string, tables: Tables) {
  const brief = presentEnvironment(environment, tables)
  return {
    name: brief.name,
    featureName,
    environment: brief.name,
    type: brief.type,
    enabled: brief.enabled,
    sortOrder: brief.sortOrder,
    variantCount: brief.variantCount,
    strategies: environment.strategies.map((strategy) => presentStrategy(strategy, featureName)),
    variants: environment.variants,
    lastSeenAt: brief.lastSeenAt,
    hasStrategies: brief.hasStrategies,
    hasEnabledStrategies: brief.hasEnabledStrategies,
  }
}

/** Field by field: spreading a frozen record takes V8 ten times as long, and this is on the way of every read. */
function presentStrategy(strategy: Frozen<Strategy>, featureName: string) {
  return {
    id: strategy.id,
    name: strategy.name,
    title: strategy.title,
    disabled: strategy.disabled,
    featureName,
    sortOrder: strategy.sortOrder,
    segments: strategy.segments,
    constraints: strategy.constraints,
    variants: strategy.variants,
    parameters: strategy.parameters,
  }
}
