import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { environmentPermissions, rootPermissions } from '../../contract/permissions.js'
import { derived, field, given, optional } from '../shared/fields.js'
import { object } from '../shared/object.js'
import { pick } from '../shared/pick.js'
import { idSchema, named } from '../shared/schema.js'
import { defineTable } from '../shared/table.js'

/** A permission of a role: in one environment, or in all. */
const permissionSchema = object(() => ({
  name: field(z.string(), 'The name, such as `CREATE_FEATURE`.'),
  environment: field(z.string().optional(), 'The environment. Default: all.'),
}))

/** An exception to a role's permissions. */
const exceptionSchema = object(() => ({
  permission: field(z.string(), 'The name of the permission.'),
  environment: field(z.string().nullable(), 'The environment; null for all.'),
  granted: field(z.boolean(), 'Whether it is allowed.'),
}))

/** A role as stored: with its permissions. */
const roleRecordSchema = object(() => ({
  id: field(idSchema.min(0), 'The ID.'),
  type: optional(z.string(), 'root', 'The type, such as `root`, `project` or `custom`.'),
  name: derived(z.string(), ({ id }: { id: number }) => `Role ${id}`, 'The display name. Default: `Role` with its ID.'),
  description: optional(z.string(), '', 'The description.'),
  project: optional(z.string().nullable(), null, 'The project that it belongs to; null for all.'),
  permissions: given(
    z.array(permissionSchema),
    z.array(z.union([z.string(), permissionSchema])).optional(),
    'Its permissions by name, in all environments or in one. Default: none.',
  ),
  exceptions: optional(z.array(exceptionSchema), [], 'Exceptions to its permissions. The last match decides.'),
}))

export type RoleRecord = z.infer<typeof roleRecordSchema>

export const roleSchema = named(
  'roleSchema',
  () => roleRecordSchema.omit({ permissions: true, exceptions: true }).shape,
)

export const briefRoleSchema = named('briefRoleSchema', () => roleSchema.omit({ project: true }).shape)

export type Role = Frozen<RoleRecord>

/** The ID of the root role Viewer. */
export const VIEWER = 3

/** The name of a role in seed data. */
export function roleName({ name }: Pick<Role, 'name'>): string {
  return name
}

export const grantSchema = z
  .object({ permission: z.string(), project: z.string().optional(), environment: z.string().optional() })
  .meta({ id: 'grantSchema', description: 'A permission of the user, and its scope' })

export type Grant = z.infer<typeof grantSchema>

/** Whether a role allows an action. `ADMIN` allows everything; a permission without an environment applies in each. */
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

/** A role's permissions in a project: an entry per environment for environment permissions. `ADMIN` covers everything. */
export function grantsIn({ permissions }: Role, project: string, environments: readonly string[]): Grant[] {
  if (permissions.some(({ name }) => name === 'ADMIN')) return [{ permission: 'ADMIN' }]
  return permissions.flatMap(({ name: permission, environment }) => {
    if (isRootPermission(permission)) return [{ permission }]
    if (!isIn(environmentPermissions, permission)) return [{ permission, project }]
    const names = environment === undefined ? environments : [environment]
    return names.map((name) => ({ permission, project, environment: name }))
  })
}

/** Whether a permission applies to the whole instance. */
export function isRootPermission(name: string): boolean {
  return isIn(rootPermissions, name)
}

function isIn(permissions: readonly string[], name: string): boolean {
  return permissions.includes(name)
}

export const roleTable = defineTable({
  meaning: 'Roles. Only `id` is needed.',
  record: roleRecordSchema,
  keyName: 'the id or the name of a role',
  nameOf: roleName,
  key: ({ id }) => id,
  own: ({ permissions = [] }) => ({
    permissions: permissions.map((one) => (typeof one === 'string' ? { name: one } : one)),
  }),
})

/** A role in brief, with its fields in Unleash's order. */
export const presentBriefRole = pick(briefRoleSchema.pick({ id: true, name: true, type: true, description: true }))

export const presentRole = pick(roleSchema)
