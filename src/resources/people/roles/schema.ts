import * as z from 'zod'

/** A permission of a role: in one environment, or in all. */
export const permissionSchema = z.object({ name: z.string(), environment: z.string().optional() })

/** A role as it is stored: with its permissions. */
export const roleRecordSchema = z.object({
  id: z.int().min(0),
  type: z.string(),
  name: z.string(),
  description: z.string(),
  project: z.string().nullable(),
  permissions: z.array(permissionSchema),
  /** Exceptions take precedence over the permissions; the last that matches decides. Null stands for every environment. */
  exceptions: z.array(z.object({ permission: z.string(), environment: z.string().nullable(), granted: z.boolean() })),
})

export type RoleRecord = z.infer<typeof roleRecordSchema>

/** A role as it is returned. */
export const roleSchema = roleRecordSchema.omit({ permissions: true, exceptions: true }).meta({ id: 'roleSchema' })

/** A role in brief. */
export const briefRoleSchema = roleSchema.omit({ project: true }).meta({ id: 'briefRoleSchema' })
