import type { Frozen } from '../../../support/freeze.js'
import type { FeatureRecord } from '../../flags/features/schema.js'
import type { FlagCreator, ProjectRecord } from './schema.js'

type Features = readonly Frozen<FeatureRecord>[]

/** The number of users with a role in a project. */
export function memberCount({ members }: Frozen<ProjectRecord>): number {
  return new Set(members.map(({ id }) => id)).size
}

export function typeCounts(features: Features): { type: string; count: number }[] {
  const types = [...new Set(features.map(({ type }) => type))].toSorted()
  return types.map((type) => ({ type, count: features.filter((feature) => feature.type === type).length }))
}

/** The creators of features, each once, in the order of the features. */
export function flagCreators(features: Features): FlagCreator[] {
  return [...new Map(features.map(({ createdBy: { id, name } }) => [id, { id, name }])).values()]
}
