import { badData, type Failure, limitExceeded, notFound } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import type { Tables } from '../../shared/context.js'
import { checkConstraints } from '../../targeting/constraints/checks.js'
import { checkSegmentsOfStrategy } from '../../targeting/segments/checks.js'
import type { FeaturePlace, FoundEnvironment } from '../feature-environments/lookup.js'
import type { FeatureRecord } from '../features/schema.js'
import { checkVariants } from '../variants/checks.js'
import type { Strategy } from './schema.js'

/** The maximum number of strategies of a feature in an environment. */
const LIMIT = 30

/** Fails if the type, segments, constraints or variants of a strategy are invalid in a project. */
export function checkStrategy(
  tables: Tables,
  { name, segments, constraints, variants }: Pick<Frozen<Strategy>, 'name' | 'segments' | 'constraints' | 'variants'>,
  project: string,
): Failure | undefined {
  if (!tables.strategyTypes.has(name)) return badData(`There is no strategy type "${name}".`, '/body/name')
  return (
    checkSegmentsOfStrategy(tables, segments, project) ??
    checkConstraints(tables, constraints) ??
    checkVariants(variants)
  )
}

/** Fails if a strategy can't be copied: its type or segments may have been deleted since it was created. */
export function checkCopiedStrategy(
  tables: Tables,
  { name, segments, constraints }: Pick<Frozen<Strategy>, 'name' | 'segments' | 'constraints'>,
  project: string,
): Failure | undefined {
  return checkStrategy(tables, { name, segments, constraints, variants: [] }, project)
}

/** Fails if the environment does not exist. */
export function checkEnvironment(tables: Tables, environment: string): Failure | undefined {
  if (tables.environments.has(environment)) return undefined
  return badData(`There is no environment "${environment}".`, '/params/environment')
}

/** Fails if the path would move a strategy to another project or feature. */
export function checkStrategyStays(
  feature: Frozen<Pick<FeatureRecord, 'name' | 'project'>>,
  { projectId, featureName, strategyId }: Pick<FeaturePlace, 'projectId' | 'featureName'> & { strategyId: string },
): Failure | undefined {
  const isInPlace = feature.project === projectId && feature.name === featureName
  if (isInPlace) return undefined
  const place = `the feature "${feature.name}" of the project "${feature.project}"`
  return {
    kind: 'invalidOperation',
    message: `The strategy "${strategyId}" belongs to ${place}, and can't be changed by way of another one.`,
  }
}

/** Fails if the limit of strategies is reached. */
export function checkRoom(strategies: readonly unknown[]): Failure | undefined {
  if (strategies.length < LIMIT) return undefined
  return limitExceeded(`${LIMIT} strategies per feature and environment`, '/body')
}

/** Fails if a feature lacks one of these strategies in an environment. */
export function checkStrategiesExist(
  { feature, environment }: FoundEnvironment,
  strategies: readonly Pick<Strategy, 'id'>[],
): Failure | undefined {
  const missing = strategies.find(({ id }) => !environment.strategies.some((strategy) => strategy.id === id))
  return (
    missing &&
    badData(`The feature "${feature.name}" has no strategy "${missing.id}" in "${environment.name}".`, '/body')
  )
}

export function unknownStrategy(feature: string, id: string, environment: string): Failure {
  return notFound(`The feature "${feature}" has no strategy "${id}" in the environment "${environment}".`)
}
