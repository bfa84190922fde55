import * as z from 'zod'
import { briefRoleSchema } from '../roles/schema.js'
import { accountSchema, feedbackSchema } from '../users/schema.js'

const grantSchema = z
  .object({ permission: z.string(), project: z.string().optional(), environment: z.string().optional() })
  .meta({ id: 'grantSchema', description: 'One permission of the user, and where it applies' })

/** The calling user and their permissions. Fields that appear only after a login are optional. */
export const meSchema = z.lazy(() =>
  z
    .object({
      user: accountSchema
        .partial({ scimId: true, seatType: true, companyRole: true, productUpdatesEmailConsent: true })
        .extend({ deletedSessions: z.int().optional(), activeSessions: z.int().optional() }),
      permissions: z.array(grantSchema),
      feedback: z.array(feedbackSchema),
      splash: z.record(z.string(), z.boolean()),
    })
    .meta({ id: 'meSchema' }),
)

export const profileSchema = z.lazy(() =>
  z
    .object({
      projects: z.array(z.string()),
      groups: z.array(z.unknown()),
      rootRole: briefRoleSchema,
      subscriptions: z.array(z.string()),
      features: z.array(z.unknown()),
      canChangePassword: z.boolean(),
    })
    .meta({ id: 'profileSchema' }),
)

export const userRolesQuerySchema = z.object({ projectId: z.string().optional() })

export const rolesSchema = z
  .object({ version: z.literal(1), roles: z.array(briefRoleSchema) })
  .meta({ id: 'rolesSchema' })
