import { badData, reject } from '../../contract/errors.js'
import type { PermissionScope, Tables } from '../shared/context.js'
import { type Grant, grantsIn, isRootPermission, type Role, roleAllows } from './roles.js'
import type { StoredUser, UserRecord } from './users.js'

const ANY_PROJECT = '*'

/**
 * Whether a user has a permission: by the root role, or by a role in the project. The permissions of a project need a
 * project, so only an admin has them where a path names none.
 */
export function userMay(user: StoredUser, tables: Tables, permission: string, scope: PermissionScope): boolean {
  const rootRole = tables.roles.get(user.rootRole)
  const needed = scope.project === undefined && !isRootPermission(permission) ? 'ADMIN' : permission
  if (rootRole !== undefined && roleAllows(rootRole, needed, scope.environment)) return true
  return (
    scope.project !== undefined &&
    projectRoles(user, tables, scope.project).some((role) => roleAllows(role, permission, scope.environment))
  )
}

export function isAdmin(user: StoredUser, tables: Tables): boolean {
  return userMay(user, tables, 'ADMIN', {})
}

export function projectRoles({ id }: Pick<UserRecord, 'id'>, tables: Tables, project: string): Role[] {
  const members = tables.projects.get(project)?.members ?? []
  return members.filter((member) => member.id === id).flatMap(({ role }) => tables.roles.get(role) ?? [])
}

/**
 * All permissions of a user. The root role's apply in every project, or in the projects that users are confined to; a
 * project role's apply in its project.
 */
export function grantsOf(user: StoredUser, tables: Tables, confinedTo: readonly string[] = [ANY_PROJECT]): Grant[] {
  const environments = tables.environments.list().map(({ name }) => name)
  const rootRole = tables.roles.get(user.rootRole)
  const byRoot =
    rootRole === undefined ? [] : confinedTo.flatMap((project) => grantsIn(rootRole, project, environments))
  const byProject = tables.projects
    .list()
    .filter(({ id }) => confinedTo.includes(ANY_PROJECT) || confinedTo.includes(id))
    .flatMap(({ id }) => projectRoles(user, tables, id).flatMap((role) => grantsIn(role, id, environments)))
  return [...byRoot, ...byProject]
}

export function findRootRole(tables: Tables, given: number | string): Role {
  const roles = tables.roles.list().filter(({ type }) => type.startsWith('root'))
  const role = roles.find(({ id, name }) => id === given || name === given)
  return role === undefined ? reject(badData(`There is no root role "${given}".`, '/body/rootRole')) : role
}

/** The role with this ID, which another record references. */
export function roleOf(id: number, tables: Tables): Role {
  const role = tables.roles.get(id)
  if (role === undefined) throw new Error(`The role ${id} is missing.`)
  return role
}
