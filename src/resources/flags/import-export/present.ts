import type { Frozen } from '../../../support/freeze.js'
import type { Tables } from '../../shared/context.js'
import { summarizeFeature } from '../features/present.js'
import type { FeatureRecord } from '../features/schema.js'
import { tagKey } from '../tags/rules.js'
import type { ExportQuery } from './schema.js'

type Feature = Frozen<FeatureRecord>

/** The features that an export asks for, by name. */
export function exportedFeatures(tables: Tables, query: ExportQuery): Feature[] {
  return chosenFeatures(tables, query).toSorted((one, other) => one.name.localeCompare(other.name))
}

/** By tag, else by name, else by project. An empty list names none. */
function chosenFeatures({ features }: Tables, query: ExportQuery): Feature[] {
  const { features: names, tag, project }: Record<string, unknown> = query
  const all = features.list()
  if (typeof tag === 'string') return all.filter(({ tags }) => tags.some(({ value }) => value === tag))
  if (Array.isArray(names) && names.length > 0) return all.filter(({ name }) => names.includes(name))
  return typeof project === 'string' ? features.by('activeInProject', project) : all.filter(({ archived }) => !archived)
}

/** Features in an environment, with everything that they refer to. */
export function presentExport(features: readonly Feature[], environment: string, tables: Tables) {
  const found = features.flatMap((feature) =>
    feature.environments.filter(({ name }) => name === environment).map((one) => ({ feature, one })),
  )
  const strategies = found.flatMap(({ feature, one }) =>
    one.strategies.map((strategy) => ({ ...strategy, featureName: feature.name })),
  )
  const variants = found.flatMap(({ one }) => one.variants)
  const fields = new Set([
    ...strategies.flatMap(({ constraints }) => constraints.map(({ contextName }) => contextName)),
    ...strategies.map(({ parameters }) => parameters.stickiness),
    ...variants.map(({ stickiness }) => stickiness),
    ...variants.flatMap(({ overrides = [] }) => overrides.map(({ contextName }) => contextName)),
  ])
  const segments = new Set(strategies.flatMap((strategy) => strategy.segments))
  const tags = features.flatMap((feature) => feature.tags)
  return {
    features: features.map((feature) => {
      const { createdAt: _, archivedAt: __, ...shown } = { archivedAt: undefined, ...summarizeFeature(feature) }
      return shown
    }),
    featureStrategies: strategies,
    featureEnvironments: found.map(({ feature: { name }, one: { enabled, variants } }) => ({
      enabled,
      featureName: name,
      environment,
      variants,
      name,
    })),
    contextFields: tables.contextFields
      .list()
      .filter(({ name }) => fields.has(name))
      .map(({ createdAt: _, project, ...field }) => (project === null ? field : { ...field, project })),
    featureTags: features.flatMap(({ name: featureName, tags: ofFeature }) =>
      ofFeature.map(({ type: tagType, value: tagValue }) => ({ featureName, tagType, tagValue })),
    ),
    segments: tables.segments.list().flatMap(({ id, name }) => (segments.has(id) ? [{ id, name }] : [])),
    tagTypes: tables.tagTypes.list().filter(({ name }) => tags.some((tag) => tagKey(tag).startsWith(`${name}:`))),
    dependencies: features.flatMap(({ name: feature, dependencies }) =>
      dependencies.length === 0 ? [] : [{ feature, dependencies: dependencies.map(completeDependency) }],
    ),
    links: features.flatMap(({ name: feature, links }) => (links.length === 0 ? [] : [{ feature, links }])),
  }
}

function completeDependency({ feature, enabled = true, variants = [] }: Feature['dependencies'][number]) {
  return { feature, enabled, variants }
}
