import type { Failure } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, ok, type Result } from '../../../support/result.js'
import type { Tables } from '../../shared/context.js'
import type { FeaturePlace } from '../feature-environments/lookup.js'
import { placesOf } from '../feature-environments/rules.js'
import type { FeatureRecord } from '../features/schema.js'
import { checkStrategyStays, unknownStrategy } from './checks.js'
import type { Strategy } from './schema.js'

export interface StrategyPlace extends FeaturePlace {
  strategyId: string
}

interface FoundStrategy {
  feature: Frozen<FeatureRecord>
  /** The name of the environment that it is in, which need not be that of the path. */
  environment: string
  strategy: Frozen<Strategy>
}

/** A strategy by its id. It must belong to the feature and the project of the path. */
export function findStrategy(tables: Tables, place: StrategyPlace): Result<FoundStrategy, Failure> {
  const [feature] = tables.features.by('strategy', place.strategyId)
  if (feature === undefined) return fail(unknownStrategy(place.featureName, place.strategyId, place.environment))
  const moved = checkStrategyStays(feature, place)
  if (moved) return fail(moved)
  for (const { name: environment, strategies } of placesOf(feature)) {
    const strategy = strategies.find(({ id }) => id === place.strategyId)
    if (strategy !== undefined) return ok({ feature, environment, strategy })
  }
  throw new Error(`The index names a strategy that is not in the feature "${feature.name}".`)
}
