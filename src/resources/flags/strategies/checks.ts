import { badData, type Failure, limitExceeded } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import type { Tables } from '../../shared/context.js'
import { checkConstraints } from '../../targeting/constraints/checks.js'
import { checkSegmentsOfStrategy } from '../../targeting/segments/checks.js'
import type { FeaturePlace } from '../feature-environments/lookup.js'
import { checkVariants } from '../variants/rules.js'
import type { Strategy } from './schema.js'

/** How many strategies a feature may have in an environment. */
const LIMIT = 30

/** A refusal of a strategy in a project: by its type, its segments, its constraints or its variants. */
export function checkStrategy(
  tables: Tables,
  { name, segments, constraints, variants }: Pick<Frozen<Strategy>, 'name' | 'segments' | 'constraints' | 'variants'>,
  project: string,
): Failure | undefined {
  if (!tables.strategyTypes.has(name)) return badData(`There is no type of strategies named "${name}".`, '/body/name')
  return (
    checkSegmentsOfStrategy(tables, segments, project) ??
    checkConstraints(tables, constraints) ??
    checkVariants(variants)
  )
}

/** A refusal of a strategy that is to be copied: what it stands on may have gone since it was made. */
export function checkCopiedStrategy(
  tables: Tables,
  { name, segments, constraints }: Pick<Frozen<Strategy>, 'name' | 'segments' | 'constraints'>,
  project: string,
): Failure | undefined {
  return checkStrategy(tables, { name, segments, constraints, variants: [] }, project)
}

/** A refusal of a strategy in an environment that there is not, for a feature that there is. */
export function checkEnvironment(
  tables: Tables,
  { projectId, featureName, environment }: FeaturePlace,
): Failure | undefined {
  if (tables.features.get(featureName)?.project !== projectId || tables.environments.has(environment)) return undefined
  return badData(`There is no environment "${environment}" for a strategy.`, '/params/environment')
}

/** A refusal of one more strategy where there are as many as there may be. */
export function checkRoom(strategies: readonly unknown[]): Failure | undefined {
  if (strategies.length < LIMIT) return undefined
  return limitExceeded(`${LIMIT} strategies of a feature in an environment`, '/body')
}
