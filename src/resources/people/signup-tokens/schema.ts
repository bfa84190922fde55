import * as z from 'zod'
import { instantSchema, sentInstantSchema } from '../../shared/schema.js'
import { roleSchema } from '../roles/schema.js'
import { type User, userSchema } from '../users/schema.js'

/** A public signup token as it is stored: `enabled` as it was set, whatever the time; users and role by id. */
export const signupTokenRecordSchema = z.object({
  secret: z.string().min(1),
  /** The name to show. Default: the secret. */
  name: z.string(),
  /** Whether it can be used until it expires. Default: true. */
  enabled: z.boolean(),
  expiresAt: instantSchema,
  createdAt: instantSchema,
  /** Who created it. Default: null. */
  createdBy: z.string().nullable(),
  users: z.array(z.object({ id: z.int() })),
  role: z.object({ id: z.int() }),
})

export type SignupTokenRecord = z.infer<typeof signupTokenRecordSchema>

/** A public signup token as it is returned. The document lets `users` be null; here it is always a list. */
export const publicSignupTokenSchema = z
  .object({
    secret: z.string(),
    url: z.string().nullable(),
    name: z.string(),
    enabled: z.boolean().meta({ description: 'Always false for a token that has expired' }),
    expiresAt: instantSchema,
    createdAt: instantSchema,
    createdBy: z.string().nullable(),
    users: z.array(userSchema).nullable(),
    role: roleSchema,
  })
  .meta({ id: 'publicSignupTokenSchema' })

export type PublicSignupToken = z.infer<typeof publicSignupTokenSchema> & { users: User[] }

/** A public signup token as the running service returns it. */
export const serviceSignupTokenSchema = publicSignupTokenSchema
  .extend({
    enabled: z.boolean(),
    users: z.array(userSchema.pick({ id: true, name: true, username: true })),
    role: roleSchema.pick({ id: true, name: true, type: true }),
  })
  .meta({ id: 'serviceSignupTokenSchema' })

export type ServiceSignupToken = z.infer<typeof serviceSignupTokenSchema>

/** The same in the answer to an update: without its role and its users. */
export const updatedServiceSignupTokenSchema = serviceSignupTokenSchema
  .extend({ users: z.tuple([]), role: z.strictObject({}) })
  .meta({ id: 'updatedServiceSignupTokenSchema' })

export const publicSignupTokensSchema = z
  .object({ tokens: z.array(publicSignupTokenSchema) })
  .meta({ id: 'publicSignupTokensSchema' })

export const serviceSignupTokensSchema = z
  .object({ tokens: z.array(serviceSignupTokenSchema) })
  .meta({ id: 'serviceSignupTokensSchema' })

export const publicSignupTokenCreateSchema = z
  .strictObject({ name: z.string(), expiresAt: sentInstantSchema })
  .meta({ id: 'publicSignupTokenCreateSchema' })

export const publicSignupTokenUpdateSchema = z
  .strictObject({ expiresAt: sentInstantSchema.optional(), enabled: z.boolean().optional() })
  .meta({ id: 'publicSignupTokenUpdateSchema' })

export type PublicSignupTokenUpdate = z.infer<typeof publicSignupTokenUpdateSchema>
