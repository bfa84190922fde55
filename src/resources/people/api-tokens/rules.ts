import type { Permission } from '../../../contract/permissions.js'
import type { ApiTokenRecord } from './schema.js'

export type Doing = 'CREATE' | 'READ' | 'UPDATE' | 'DELETE'

/** What a caller must be allowed to do to do something with a key. Admin keys are a matter for admins. */
export function permissionFor(doing: Doing, { type }: Pick<ApiTokenRecord, 'type'>): Permission {
  if (type === 'frontend') return `${doing}_FRONTEND_API_TOKEN`
  return type === 'admin' ? 'ADMIN' : `${doing}_CLIENT_API_TOKEN`
}

/** What a caller must be allowed to do to do something with keys of some type. */
export function someOf(doing: Doing): readonly Permission[] {
  return ['ADMIN', `${doing}_CLIENT_API_TOKEN`, `${doing}_FRONTEND_API_TOKEN`]
}

/** The secret of a new key: it tells what the key is for. */
export function secretFor({ projects, environment }: Pick<ApiTokenRecord, 'environment' | 'projects'>, random: string) {
  const [project = '*', ...others] = projects
  return `${others.length > 0 ? '[]' : project}:${environment}.${random}`
}
