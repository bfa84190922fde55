import * as z from 'zod'
import { secret } from '../../../contract/secrets.js'
import { instantSchema } from '../../shared/schema.js'
import { briefRoleSchema } from '../roles/schema.js'
import { accountSchema } from '../users/schema.js'

/** The cookie that holds the secret of a login. */
export const LOGIN_COOKIE = 'unleash-session'

/** A login: the secret that the cookie holds, and the user who is signed in. */
export const loginRecordSchema = z.object({
  /** The value of the cookie. */
  secret: z.string().min(1),
  /** The id of the user. */
  userId: z.int(),
  createdAt: instantSchema,
})

export type LoginRecord = z.infer<typeof loginRecordSchema>

/** A link with which a user may choose a new password, as it is stored. */
export const resetTokenRecordSchema = z.object({
  /** The secret, as in the link. */
  secret: z.string().min(1),
  /** The id of the user. */
  userId: z.int(),
  createdBy: z.string().nullable(),
  createdAt: instantSchema,
  expiresAt: instantSchema,
})

export type ResetTokenRecord = z.infer<typeof resetTokenRecordSchema>

export const loginSchema = z
  .strictObject({ username: z.string(), password: secret(z.string()) })
  .meta({ id: 'loginSchema' })

/** A user who has just signed in. */
export const signedInSchema = accountSchema
  .extend({
    deletedSessions: z.int(),
    activeSessions: z.int().meta({ description: 'How many logins the service allows at once' }),
  })
  .meta({ id: 'signedInSchema' })

export type SignedIn = z.infer<typeof signedInSchema>

export const passwordSchema = z.strictObject({ password: secret(z.string()) }).meta({ id: 'passwordSchema' })

export const resetPasswordSchema = z
  .strictObject({ token: secret(z.string()), password: secret(z.string()) })
  .meta({ id: 'resetPasswordSchema' })

export const emailSchema = z.strictObject({ email: z.string() }).meta({ id: 'emailSchema' })

export const resetTokenQuerySchema = z.object({ token: secret(z.string()) })

/** The user whom a reset link belongs to. */
export const tokenUserSchema = z
  .object({
    id: z.int(),
    name: z.string().optional(),
    email: z.string(),
    token: secret(z.string()),
    createdBy: z.string().nullable(),
    role: briefRoleSchema,
  })
  .meta({ id: 'tokenUserSchema' })
