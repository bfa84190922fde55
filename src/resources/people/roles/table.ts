import * as z from 'zod'
import { listOfWhole } from '../../shared/given-list.js'
import { defineTable } from '../../shared/table.js'
import { roleName } from './rules.js'
import { permissionSchema, roleRecordSchema } from './schema.js'

export const roleTable = defineTable({
  record: roleRecordSchema,
  keyName: 'the id or the name of a role',
  nameOf: roleName,
  key: ({ id }) => id,
  indexes: {},
  fixture: z.strictObject({
    ...roleRecordSchema.partial().shape,
    /** Its id. */
    id: z.int().min(0),
    /** What it allows: permissions by name, everywhere or in one environment. */
    permissions: z.array(z.union([z.string(), permissionSchema])).optional(),
    /** What it allows or forbids apart from its permissions. */
    exceptions: listOfWhole(roleRecordSchema.shape.exceptions.element).optional(),
  }),
  complete: (given) => ({
    id: given.id,
    type: given.type ?? 'root',
    name: given.name ?? `Role ${given.id}`,
    description: given.description ?? '',
    project: given.project ?? null,
    permissions: (given.permissions ?? []).map((one) => (typeof one === 'string' ? { name: one } : one)),
    exceptions: given.exceptions ?? [],
  }),
})
