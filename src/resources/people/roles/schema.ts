import * as z from 'zod'

/** Something that a role allows: in one environment, or wherever it applies. */
export const permissionSchema = z.object({ name: z.string(), environment: z.string().optional() })

/** A role as it is stored: with what it allows. */
export const roleRecordSchema = z.object({
  id: z.int().min(0),
  type: z.string(),
  name: z.string(),
  description: z.string(),
  project: z.string().nullable(),
  permissions: z.array(permissionSchema),
  /** What goes before the list: the last that fits says whether something is allowed. Without an environment, in all. */
  exceptions: z.array(z.object({ permission: z.string(), environment: z.string().nullable(), granted: z.boolean() })),
})

export type RoleRecord = z.infer<typeof roleRecordSchema>

/** A role as it is answered. */
export const roleSchema = roleRecordSchema.omit({ permissions: true, exceptions: true }).meta({ id: 'roleSchema' })

/** A role in brief. */
export const briefRoleSchema = roleSchema.omit({ project: true }).meta({ id: 'briefRoleSchema' })
