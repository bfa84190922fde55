import type { Failure } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, ok, type Result } from '../../../support/result.js'
import type { Tables } from '../../shared/context.js'
import { type FeaturePlace, type FoundEnvironment, findFeatureEnvironment } from '../feature-environments/lookup.js'
import { unknownStrategy } from './checks.js'
import type { Strategy } from './schema.js'

export interface StrategyPlace extends FeaturePlace {
  strategyId: string
}

interface FoundStrategy extends FoundEnvironment {
  strategy: Frozen<Strategy>
}

/** A strategy of a feature in an environment. */
export function findStrategy(tables: Tables, place: StrategyPlace): Result<FoundStrategy, Failure> {
  const found = findFeatureEnvironment(tables, place)
  if (!found.ok) return found
  const strategy = found.value.environment.strategies.find(({ id }) => id === place.strategyId)
  return strategy === undefined
    ? fail(unknownStrategy(place.featureName, place.strategyId, place.environment))
    : ok({ ...found.value, strategy })
}
