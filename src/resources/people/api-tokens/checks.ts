import { badData, type Failure, noAccess } from '../../../contract/errors.js'
import type { Caller, Tables } from '../../shared/context.js'
import { type Doing, permissionFor } from './rules.js'
import type { ApiTokenRecord } from './schema.js'

export function mayHandle(caller: Caller, doing: Doing, token: Pick<ApiTokenRecord, 'type'>): boolean {
  return caller.may(permissionFor(doing, token))
}

/** A refusal if the caller may not do that with a key of this type. */
export function checkHandling(caller: Caller, doing: Doing, token: Pick<ApiTokenRecord, 'type'>): Failure | undefined {
  return mayHandle(caller, doing, token) ? undefined : noAccess(permissionFor(doing, token))
}

/** A refusal if a key would be for an environment or a project that does not exist. */
export function checkScope(
  tables: Tables,
  { environment, projects }: Pick<ApiTokenRecord, 'environment' | 'projects'>,
): Failure | undefined {
  if (!tables.environments.has(environment)) {
    return badData(`There is no environment "${environment}".`, '/body/environment')
  }
  const unknown = projects.find((project) => project !== '*' && !tables.projects.has(project))
  return unknown === undefined ? undefined : badData(`There is no project "${unknown}".`, '/body/projects')
}
