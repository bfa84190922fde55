import type { Frozen } from '../../../support/freeze.js'
import type { Strategy } from '../../flags/strategies/schema.js'
import type { Key, Tables } from '../../shared/context.js'

/** What a strategy can make use of. Each is an index of the features too. */
export type Used = 'segment' | 'contextField'

const uses: Readonly<Record<Used, (strategy: Frozen<Strategy>, key: Key) => boolean>> = {
  segment: ({ segments }, key) => segments.includes(Number(key)),
  contextField: ({ constraints }, key) => constraints.some(({ contextName }) => contextName === key),
}

/** The strategies that use something, each with where it is. Those of archived features do too: they may come back. */
export function strategiesUsing(tables: Tables, used: Used, key: Key) {
  return tables.features
    .by(used, key)
    .flatMap(({ name: featureName, project: projectId, environments }) =>
      environments.flatMap(({ name: environment, strategies }) =>
        strategies
          .filter((strategy) => uses[used](strategy, key))
          .map(({ id, name: strategyName }) => ({ id, featureName, projectId, environment, strategyName })),
      ),
    )
}

/** In how many projects and active features something is used. */
export function usageOf(tables: Tables, used: Used, key: Key): { usedInProjects: number; usedInFeatures: number } {
  const features = tables.features.by(used, key).filter(({ archived }) => !archived)
  return { usedInProjects: new Set(features.map(({ project }) => project)).size, usedInFeatures: features.length }
}
