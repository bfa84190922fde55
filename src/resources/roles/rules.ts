import type { Frozen } from '../../support/freeze.js'
import type { RoleRecord } from './schema.js'

/** Whether a role allows something: `ADMIN` allows all; what is granted for no environment in particular holds in each. */
export function roleAllows(role: Frozen<RoleRecord>, permission: string, environment?: string): boolean {
  return role.permissions.some(
    (granted) =>
      granted.name === 'ADMIN' ||
      (granted.name === permission && (granted.environment === undefined || granted.environment === environment)),
  )
}

export function presentRole(role: Frozen<RoleRecord>) {
  const { permissions: _, ...shown } = role
  return shown
}
