import type { Frozen } from '../../../support/freeze.js'
import { badData, type Failure, limitExceeded } from '../../contract/errors.js'
import type { Tables } from '../shared/context.js'
import { checkConstraintsOfStrategy } from '../targeting/constraints.operations.js'
import { checkSegmentCount, checkSegmentsOfStrategy } from '../targeting/segments.operations.js'
import type { Strategy } from './strategies.js'
import { checkVariants } from './variants.js'

/** The maximum number of strategies of a feature in an environment. */
export const MOST_STRATEGIES = 30

/** Fails if a feature can't have so many strategies in an environment. */
export function checkStrategyCount(count: number): Failure | undefined {
  return count > MOST_STRATEGIES
    ? limitExceeded(`${MOST_STRATEGIES} strategies per feature and environment`, '/body')
    : undefined
}

/** Fails if the type, segments, constraints or variants of a strategy are invalid in a project. */
export function checkStrategy(
  tables: Tables,
  { name, segments, constraints, variants }: Pick<Frozen<Strategy>, 'name' | 'segments' | 'constraints' | 'variants'>,
  project: string,
): Failure | undefined {
  if (!tables.strategyTypes.has(name)) return badData(`There is no strategy type "${name}".`, '/body/name')
  return (
    checkSegmentsOfStrategy(tables, segments, project) ??
    checkConstraintsOfStrategy(tables, constraints) ??
    checkVariants(variants) ??
    checkSegmentCount(segments)
  )
}
