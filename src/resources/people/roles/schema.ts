import * as z from 'zod'

/** A permission of a role: in one environment, or in all. */
export const permissionSchema = z.object({
  /** The name, such as `CREATE_FEATURE`. */
  name: z.string(),
  /** The environment. Default: all. */
  environment: z.string().optional(),
})

/** A role as it is stored: with its permissions. */
export const roleRecordSchema = z.object({
  id: z.int().min(0),
  /** Its type, such as `root`, `project` or `custom`. */
  type: z.string(),
  /** The name to show. */
  name: z.string(),
  /** What it is for. */
  description: z.string(),
  /** The project that it belongs to; null for the whole service. */
  project: z.string().nullable(),
  permissions: z.array(permissionSchema),
  /** Exceptions take precedence over the permissions; the last that matches decides. Null stands for every environment. */
  exceptions: z.array(
    z.object({
      /** The name of the permission. */
      permission: z.string(),
      /** The environment; null for all. */
      environment: z.string().nullable(),
      /** Whether it is allowed. */
      granted: z.boolean(),
    }),
  ),
})

export type RoleRecord = z.infer<typeof roleRecordSchema>

/** A role as it is returned. */
export const roleSchema = roleRecordSchema.omit({ permissions: true, exceptions: true }).meta({ id: 'roleSchema' })

/** A role in brief. */
export const briefRoleSchema = roleSchema.omit({ project: true }).meta({ id: 'briefRoleSchema' })
