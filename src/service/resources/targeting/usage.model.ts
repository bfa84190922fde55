import type { Frozen } from '../../../support/freeze.js'
import { placesOf } from '../flags/features.js'
import type { Strategy } from '../flags/strategies.js'
import type { Key, Tables } from '../shared/context.js'

/** The things that a strategy can use. Each is also the name of an index of the features. */
type UsageKind = 'segment' | 'contextField'

const uses: Readonly<Record<UsageKind, (strategy: Frozen<Strategy>, key: Key) => boolean>> = {
  segment: ({ segments }, key) => segments.includes(Number(key)),
  contextField: ({ constraints }, key) => constraints.some(({ contextName }) => contextName === key),
}

/** The strategies of active features that use something, with their places. */
export function strategiesUsing(tables: Tables, kind: UsageKind, key: Key) {
  return tables.features
    .by(kind, key)
    .filter(({ archived }) => !archived)
    .flatMap((feature) => {
      const { name: featureName, project: projectId } = feature
      return placesOf(feature).flatMap(({ name: environment, strategies }) =>
        strategies
          .filter((strategy) => uses[kind](strategy, key))
          .map(({ id, name: strategyName }) => ({ id, featureName, projectId, environment, strategyName })),
      )
    })
}

/** The number of projects and active features that use something. */
export function usageOf(tables: Tables, kind: UsageKind, key: Key): { usedInProjects: number; usedInFeatures: number } {
  const features = tables.features.by(kind, key).filter(({ archived }) => !archived)
  return { usedInProjects: new Set(features.map(({ project }) => project)).size, usedInFeatures: features.length }
}
