import type { Frozen } from '../../../support/freeze.js'
import type { RoleRecord } from './schema.js'

export type Role = Frozen<RoleRecord>

/** One thing that somebody may do, and where; as the service tells its user interface. */
export interface Grant {
  permission: string
  project?: string
  environment?: string
}

/** Stands for every project. */
export const ANY_PROJECT = '*'

/** Whether a role allows something: `ADMIN` allows all; what is granted for no environment in particular holds in each. */
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

export function includes(list: readonly string[], item: string): boolean {
  return list.includes(item)
}
