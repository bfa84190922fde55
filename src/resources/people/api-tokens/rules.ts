import type { Permission } from '../../../contract/permissions.js'
import type { ApiTokenRecord } from './schema.js'

export type TokenAction = 'CREATE' | 'READ' | 'UPDATE' | 'DELETE'

/** The permission that an action on a token needs. Admin tokens are reserved for admins. */
export function permissionFor(action: TokenAction, { type }: Pick<ApiTokenRecord, 'type'>): Permission {
  if (type === 'frontend') return `${action}_FRONTEND_API_TOKEN`
  return type === 'admin' ? 'ADMIN' : `${action}_CLIENT_API_TOKEN`
}

/** The permissions of which one is needed for an action on tokens of at least one type. */
export function permissionsFor(action: TokenAction): readonly Permission[] {
  return ['ADMIN', `${action}_CLIENT_API_TOKEN`, `${action}_FRONTEND_API_TOKEN`]
}

/** The secret of a new token. It begins with the project and the environment that the token is for. */
export function secretFor({ projects, environment }: Pick<ApiTokenRecord, 'environment' | 'projects'>, random: string) {
  const [project = '*', ...others] = projects
  return `${others.length > 0 ? '[]' : project}:${environment}.${random}`
}
