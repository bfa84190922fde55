import { badData, type Failure } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import { GRADUAL_ROLLOUT } from '../../flags/strategies/rules.js'
import type { Tables } from '../../shared/context.js'
import type { ProjectRecord } from '../projects/schema.js'

/** Fails if an environment does not exist, or if a project is connected to it already. */
export function checkConnectable(
  tables: Tables,
  { id, environments }: Frozen<ProjectRecord>,
  environment: string,
): Failure | undefined {
  if (!tables.environments.has(environment)) {
    return badData(`There is no environment "${environment}".`, '/body/environment')
  }
  if (!environments.includes(environment)) return undefined
  return {
    kind: 'nameExists',
    message: `The project "${id}" is connected to the environment "${environment}" already.`,
  }
}

/** Fails if a strategy can't be the default of an environment. */
export function checkDefaultStrategy({ name }: { name: string }): Failure | undefined {
  if (name === GRADUAL_ROLLOUT) return undefined
  return badData(`Only a "${GRADUAL_ROLLOUT}" can be a default strategy; "${name}" was sent.`, '/body/name')
}
