import { environmentPermissions, rootPermissions } from '../../../contract/permissions.js'
import type { Frozen } from '../../../support/freeze.js'
import type { RoleRecord } from './schema.js'

export type Role = Frozen<RoleRecord>

/** The id of the root role Viewer. */
export const VIEWER = 3

/** The name by which given state may name a role. */
export function roleName({ name }: Pick<Role, 'name'>): string {
  return name
}

/** One permission of a user, and where it applies; as the service reports it to its user interface. */
export interface Grant {
  permission: string
  project?: string
  environment?: string
}

/** Whether a role allows something. `ADMIN` allows everything; a permission without an environment applies in each. */
export function roleAllows(role: Role, permission: string, environment?: string): boolean {
  const exception = role.exceptions.findLast(
    (one) => one.permission === permission && (one.environment === null || one.environment === environment),
  )
  if (exception !== undefined) return exception.granted
  return role.permissions.some(
    (granted) =>
      granted.name === 'ADMIN' ||
      (granted.name === permission && (granted.environment === undefined || granted.environment === environment)),
  )
}

/** What a role allows in a project: one entry per environment for permissions that depend on it. `ADMIN` covers everything. */
export function grantsIn({ permissions }: Role, project: string, environments: readonly string[]): Grant[] {
  if (permissions.some(({ name }) => name === 'ADMIN')) return [{ permission: 'ADMIN' }]
  return permissions.flatMap(({ name: permission, environment }) => {
    if (isIn(rootPermissions, permission)) return [{ permission }]
    if (!isIn(environmentPermissions, permission)) return [{ permission, project }]
    const names = environment === undefined ? environments : [environment]
    return names.map((name) => ({ permission, project, environment: name }))
  })
}

function isIn(permissions: readonly string[], name: string): boolean {
  return permissions.includes(name)
}
