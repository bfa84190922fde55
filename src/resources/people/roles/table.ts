import * as z from 'zod'
import { listOfWhole } from '../../shared/given-list.js'
import { defineTable } from '../../shared/table.js'
import { permissionSchema, type RoleRecord, roleRecordSchema } from './schema.js'

/** A role as a fixture may give it: only its id is needed, and permissions may be bare names. */
export const roleFixtureSchema = z.strictObject({
  ...roleRecordSchema.partial().shape,
  /** Its id. */
  id: z.int().min(0),
  /** What it allows: permissions by name, everywhere or in one environment. */
  permissions: z.array(z.union([z.string(), permissionSchema])).optional(),
  /** What it allows or forbids apart from its permissions. */
  exceptions: listOfWhole(roleRecordSchema.shape.exceptions.element).optional(),
})

/** The record that a fixture means: a root role that allows nothing but reading. */
export function completeRole(given: z.infer<typeof roleFixtureSchema>): RoleRecord {
  return {
    id: given.id,
    type: given.type ?? 'root',
    name: given.name ?? `Role ${given.id}`,
    description: given.description ?? '',
    project: given.project ?? null,
    permissions: (given.permissions ?? []).map((one) => (typeof one === 'string' ? { name: one } : one)),
    exceptions: given.exceptions ?? [],
  }
}

export const roleTable = defineTable({
  record: roleRecordSchema,
  keyName: 'the id of a role',
  key: ({ id }) => id,
  indexes: {},
  fixture: roleFixtureSchema,
  complete: completeRole,
})
