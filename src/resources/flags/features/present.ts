import type { Frozen } from '../../../support/freeze.js'
import { byEnvironment } from '../../projects/environments/rules.js'
import type { Tables } from '../../shared/context.js'
import { view } from '../../shared/operation.js'
import type { KnownRecords } from '../../shared/table.js'
import { activeChildren } from '../dependencies/lookup.js'
import { isFavorite } from '../favorites/lookup.js'
import type { FeatureEnvironment } from '../feature-environments/schema.js'
import type { Strategy } from '../strategies/schema.js'
import { type Feature, type FeatureRecord, featureSchema, featureSummarySchema } from './schema.js'

type Stored = Frozen<FeatureRecord>

/** A feature in full: the document's featureSchema. `viewer` is the id of the caller whose favorite it may be. */
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
    environments: byEnvironment(feature.environments, tables.environments).map((environment) =>
      presentWholeEnvironment(environment, feature.name, tables),
    ),
    variants: [],
    strategies: [],
    tags: feature.tags,
    children: activeChildren(tables, feature.name),
    lifecycle: feature.lifecycle,
    dependencies: feature.dependencies,
    collaborators: feature.collaborators,
  }
}

/** A feature in brief, as events show it. */
export function summarizeFeature(feature: Stored) {
  const { name, description, type, project, stale, createdAt, impressionData, archived, archivedAt } = feature
  const brief = { name, description, type, project, stale, createdAt, impressionData, archived }
  return archivedAt === null ? brief : { ...brief, archivedAt }
}

/** A feature in one environment, with counts in place of strategies and variants. */
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

/** Field by field, because V8 takes ten times as long to spread a frozen record, and every read comes through here. */
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

/** A feature that was just created, cloned or changed. */
export const changedFeatureView = view<Stored>({
  documented: {
    schema: featureSchema,
    present: (feature, { tables, caller }) => presentFeature(feature, tables, caller.id),
  },
  'unleash-8': { schema: featureSummarySchema, present: summarizeFeature },
})

/** A feature in a snapshot: with the environments that it is in, if these are not all of its project's. */
export type FeatureInState = FeatureRecord & { onlyIn?: string[] }

export function showFeature(feature: Stored, { projects }: KnownRecords): Frozen<FeatureInState> {
  const names = feature.environments.map(({ name }) => name)
  const isEverywhere = projects.get(feature.project)?.environments.every((name) => names.includes(name)) ?? true
  return isEverywhere ? feature : { ...feature, onlyIn: names }
}
