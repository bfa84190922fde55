import * as z from 'zod'
import { instantSchema } from '../../shared/schema.js'
import { briefRoleSchema } from '../roles/schema.js'
import { accountSchema, feedbackSchema } from '../users/schema.js'

const grantSchema = z
  .object({ permission: z.string(), project: z.string().optional(), environment: z.string().optional() })
  .meta({ id: 'grantSchema', description: 'One thing that the user may do, and where' })

/** Who is signed in, and what they may do. Fields that only a login shows are optional. */
export const meSchema = z
  .object({
    user: accountSchema
      .partial({ scimId: true, seatType: true, companyRole: true, productUpdatesEmailConsent: true })
      .extend({ deletedSessions: z.int().optional(), activeSessions: z.int().optional() }),
    permissions: z.array(grantSchema),
    feedback: z.array(feedbackSchema),
    splash: z.record(z.string(), z.boolean()),
  })
  .meta({ id: 'meSchema' })

export const profileSchema = z
  .object({
    projects: z.array(z.string()),
    groups: z.array(z.unknown()),
    rootRole: briefRoleSchema,
    subscriptions: z.array(z.string()),
    features: z.array(z.unknown()),
    canChangePassword: z.boolean(),
  })
  .meta({ id: 'profileSchema' })

export const userRolesQuerySchema = z.object({ projectId: z.string().optional() })

export const rolesSchema = z
  .object({ version: z.literal(1), roles: z.array(briefRoleSchema) })
  .meta({ id: 'rolesSchema' })

export const createFeedbackSchema = z
  .object({ feedbackId: z.string(), neverShow: z.boolean().optional() })
  .meta({ id: 'createFeedbackSchema' })

export const updateFeedbackSchema = z
  .object({ neverShow: z.boolean().optional(), given: instantSchema.nullable().optional() })
  .meta({ id: 'updateFeedbackSchema' })

export const feedbackResponseSchema = feedbackSchema.extend({ userId: z.int() }).meta({ id: 'feedbackResponseSchema' })

export const splashResponseSchema = z
  .object({ userId: z.int(), splashId: z.string(), seen: z.boolean() })
  .meta({ id: 'splashResponseSchema' })
