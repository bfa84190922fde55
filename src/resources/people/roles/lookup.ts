import { badData, type Failure } from '../../../contract/errors.js'
import { environmentPermissions, rootPermissions } from '../../../contract/permissions.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, ok, type Result } from '../../../support/result.js'
import type { PermissionScope, Tables } from '../../shared/context.js'
import type { UserRecord } from '../users/schema.js'
import { ANY_PROJECT, type Grant, includes, type Role, roleAllows } from './rules.js'

/** Whether a user may do something: by the root role, or by a role in the project. */
export function userMay(user: Frozen<UserRecord>, tables: Tables, permission: string, where: PermissionScope): boolean {
  const rootRole = tables.roles.get(user.rootRole)
  if (rootRole !== undefined && roleAllows(rootRole, permission, where.environment)) return true
  return (
    where.project !== undefined &&
    projectRoles(user, tables, where.project).some((role) => roleAllows(role, permission, where.environment))
  )
}

/** Whether a user's root role allows everything. */
export function isAdmin(user: Frozen<UserRecord>, tables: Tables): boolean {
  return userMay(user, tables, 'ADMIN', {})
}

/** The roles that a user has in a project. */
export function projectRoles({ id }: Pick<UserRecord, 'id'>, tables: Tables, project: string): Role[] {
  const members = tables.projects.get(project)?.members ?? []
  return members.filter((member) => member.id === id).flatMap(({ role }) => tables.roles.get(role) ?? [])
}

/**
 * All that a user may do. What the root role allows holds in every project, or in those that users are confined to;
 * what a role in a project allows holds there.
 */
export function grantsOf(
  user: Frozen<UserRecord>,
  tables: Tables,
  confinedTo: readonly string[] = [ANY_PROJECT],
): Grant[] {
  const rootRole = tables.roles.get(user.rootRole)
  const byRoot = rootRole === undefined ? [] : confinedTo.flatMap((project) => grantsIn(rootRole, project, tables))
  const byProject = tables.projects
    .list()
    .filter(({ id }) => confinedTo.includes(ANY_PROJECT) || confinedTo.includes(id))
    .flatMap(({ id }) => projectRoles(user, tables, id).flatMap((role) => grantsIn(role, id, tables)))
  return [...byRoot, ...byProject]
}

/** What a role allows in a project, one entry for each environment where that matters. `ADMIN` says it all. */
export function grantsIn({ permissions }: Role, project: string, tables: Tables): Grant[] {
  if (permissions.some(({ name }) => name === 'ADMIN')) return [{ permission: 'ADMIN' }]
  return permissions.flatMap(({ name: permission, environment }) => {
    if (includes(rootPermissions, permission)) return [{ permission }]
    if (!includes(environmentPermissions, permission)) return [{ permission, project }]
    const environments = environment === undefined ? tables.environments.list().map(({ name }) => name) : [environment]
    return environments.map((name) => ({ permission, project, environment: name }))
  })
}

/** The root role with this id or name. */
export function findRootRole(tables: Tables, given: number | string): Result<Role, Failure> {
  const roles = tables.roles.list().filter(({ type }) => type.startsWith('root'))
  const role = roles.find(({ id, name }) => id === given || name === given)
  return role === undefined ? fail(badData(`There is no root role "${given}".`, '/body/rootRole')) : ok(role)
}

/** A role that something points at. */
export function roleOf(id: number, tables: Tables): Role {
  const role = tables.roles.get(id)
  if (role === undefined) throw new Error(`The role ${id} is missing.`)
  return role
}
