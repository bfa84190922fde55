import * as z from 'zod'
import { instantSchema } from '../../shared/schema.js'
import { briefRoleSchema } from '../roles/schema.js'
import { accountSchema } from '../users/schema.js'

/** The cookie by which the service knows who is signed in. */
export const LOGIN_COOKIE = 'unleash-session'

/** Somebody who is signed in: what the cookie holds, and whose it is. */
export const loginRecordSchema = z.object({
  secret: z.string().min(1),
  userId: z.int(),
  createdAt: instantSchema,
})

export type LoginRecord = z.infer<typeof loginRecordSchema>

/** A link by which a user may choose a new password, as it is stored. */
export const resetTokenRecordSchema = z.object({
  secret: z.string().min(1),
  userId: z.int(),
  createdBy: z.string().nullable(),
  createdAt: instantSchema,
  expiresAt: instantSchema,
})

export type ResetTokenRecord = z.infer<typeof resetTokenRecordSchema>

export const loginSchema = z.strictObject({ username: z.string(), password: z.string() }).meta({ id: 'loginSchema' })

/** Who has just signed in. */
export const signedInSchema = accountSchema
  .extend({
    deletedSessions: z.int(),
    activeSessions: z.int().meta({ description: 'How many logins at once the service allows' }),
  })
  .meta({ id: 'signedInSchema' })

export type SignedIn = z.infer<typeof signedInSchema>

export const passwordSchema = z.strictObject({ password: z.string() }).meta({ id: 'passwordSchema' })

export const resetPasswordSchema = z
  .strictObject({ token: z.string(), password: z.string() })
  .meta({ id: 'resetPasswordSchema' })

export const resetTokenQuerySchema = z.object({ token: z.string() })

/** Whose reset link it is. */
export const tokenUserSchema = z
  .object({
    id: z.int(),
    name: z.string().optional(),
    email: z.string(),
    token: z.string(),
    createdBy: z.string().nullable(),
    role: briefRoleSchema,
  })
  .meta({ id: 'tokenUserSchema' })
