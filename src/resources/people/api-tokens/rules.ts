import { badData, type Failure, noAccess } from '../../../contract/errors.js'
import type { Permission } from '../../../contract/permissions.js'
import type { Caller, Tables } from '../../shared/context.js'
import type { ApiTokenRecord } from './schema.js'

type Doing = 'CREATE' | 'READ' | 'UPDATE' | 'DELETE'

/** What a caller must be allowed to do to do something with a key. Admin keys are a matter for admins. */
function permissionFor(doing: Doing, { type }: Pick<ApiTokenRecord, 'type'>): Permission {
  if (type === 'frontend') return `${doing}_FRONTEND_API_TOKEN`
  return type === 'admin' ? 'ADMIN' : `${doing}_CLIENT_API_TOKEN`
}

/** What a caller must be allowed to do to do something with keys of some type. */
export function someOf(doing: Doing): readonly Permission[] {
  return ['ADMIN', `${doing}_CLIENT_API_TOKEN`, `${doing}_FRONTEND_API_TOKEN`]
}

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

/** The secret of a new key: it tells what the key is for. */
export function secretFor({ projects, environment }: Pick<ApiTokenRecord, 'environment' | 'projects'>, random: string) {
  const [project = '*', ...others] = projects
  return `${others.length > 0 ? '[]' : project}:${environment}.${random}`
}
