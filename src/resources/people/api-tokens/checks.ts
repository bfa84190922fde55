import { badData, type Failure, noAccess } from '../../../contract/errors.js'
import type { Caller, Tables } from '../../shared/context.js'
import { permissionFor, type TokenAction } from './rules.js'
import type { ApiTokenRecord } from './schema.js'

/** Rejects an action on a token of this type that the caller has no permission for. */
export function checkTokenAccess(
  caller: Caller,
  action: TokenAction,
  token: Pick<ApiTokenRecord, 'type'>,
): Failure | undefined {
  const permission = permissionFor(action, token)
  return caller.may(permission) ? undefined : noAccess(permission)
}

/** Rejects a token for an environment or a project that does not exist. */
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
