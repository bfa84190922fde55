import type * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { emptyEnvironment } from '../../flags/features/rules.js'
import type { FeatureRecord } from '../../flags/features/schema.js'
import type { Strategy } from '../../flags/strategies/schema.js'
import type { Tables } from '../../shared/context.js'
import type { ClientQuery, clientFeatureSchema } from './schema.js'

export type ClientFeature = Frozen<z.infer<typeof clientFeatureSchema>>

/** The features that match a query, as SDKs receive them. */
export function listClientFeatures(tables: Tables, query: ClientQuery): ClientFeature[] {
  const constraintsOf = (id: number) => tables.segments.get(id)?.constraints ?? []
  const present = query.inlineSegmentConstraints
    ? (strategy: Frozen<Strategy>) => presentInlined(strategy, strategy.segments.flatMap(constraintsOf))
    : presentStrategy
  return tables.features
    .list()
    .filter((feature) => matches(feature, query))
    .map((feature) => presentClientFeature(feature, query, present))
}

/** The segments that are in use, for SDKs that resolve segments themselves. */
export function listClientSegments(tables: Tables) {
  return tables.segments
    .list()
    .filter(({ id }) => tables.features.count('segment', id) > 0)
    .map(({ id, name, constraints }) => ({ id, name, constraints }))
}

function matches(feature: Frozen<FeatureRecord>, { project, namePrefix = '', tag }: ClientQuery): boolean {
  const hasTag = ([type, value]: readonly string[]) =>
    feature.tags.some((candidate) => candidate.type === type && candidate.value === value)
  return (
    !feature.archived &&
    (project === undefined || project.includes(feature.project)) &&
    feature.name.startsWith(namePrefix) &&
    (tag === undefined || tag.some(hasTag))
  )
}

function presentClientFeature(
  feature: Frozen<FeatureRecord>,
  query: ClientQuery,
  present: (strategy: Frozen<Strategy>) => ClientFeature['strategies'][number],
): ClientFeature {
  const { name, type, project, stale, description, impressionData } = feature
  const environment =
    feature.environments.find((candidate) => candidate.name === query.environment) ?? emptyEnvironment('')
  return {
    name,
    type,
    enabled: environment.enabled,
    project,
    stale,
    strategies: environment.strategies
      .filter(({ disabled }) => !disabled)
      .toSorted((one, other) => one.sortOrder - other.sortOrder)
      .map(present),
    variants: environment.variants,
    description,
    impressionData,
    ...(feature.dependencies.length === 0 ? {} : { dependencies: feature.dependencies.map(presentDependency) }),
  }
}

function presentStrategy({ name, constraints, parameters, variants, segments }: Frozen<Strategy>) {
  return {
    name,
    constraints,
    parameters,
    variants,
    ...(segments.length === 0 ? {} : { segments: segments.toSorted((one, other) => one - other) }),
  }
}

/** For SDKs that don't resolve segments, the constraints of segments become the strategy's own. */
function presentInlined(
  { name, constraints, parameters, variants }: Frozen<Strategy>,
  ofSegments: Frozen<Strategy>['constraints'],
) {
  return { name, constraints: [...constraints, ...ofSegments], parameters, variants }
}

/** The required variants of a parent matter only if the parent must be on. */
function presentDependency({ feature, enabled = true, variants = [] }: Frozen<FeatureRecord>['dependencies'][number]) {
  return { feature, enabled, ...(enabled ? { variants } : {}) }
}
