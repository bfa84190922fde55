import * as z from 'zod'
import { instantSchema } from '../common.js'

/** A user as it is stored. */
export const userRecordSchema = z.object({
  id: z.int(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  username: z.string().nullable(),
  rootRole: z.int(),
  accountType: z.enum(['User', 'Service Account']),
  loginAttempts: z.int(),
  seenAt: instantSchema.nullable(),
  createdAt: instantSchema,
  scimId: z.string().nullable(),
})

export type UserRecord = z.infer<typeof userRecordSchema>

/** A user as it is answered, all of the document's fields. */
export const userSchema = z
  .object({
    id: z.int(),
    isAPI: z.boolean().meta({ deprecated: true }),
    name: z.string().nullable(),
    email: z.string().optional(),
    username: z.string().nullable(),
    imageUrl: z.string(),
    inviteLink: z.string(),
    loginAttempts: z.int(),
    emailSent: z.boolean(),
    rootRole: z.int(),
    seenAt: instantSchema.nullable(),
    createdAt: instantSchema,
    accountType: z.string(),
    permissions: z.array(z.string()).meta({ deprecated: true }),
    scimId: z.string().nullable().optional(),
  })
  .meta({ id: 'userSchema' })

export type User = z.infer<typeof userSchema>

const shortText = z.string().max(255, 'must not be longer than 255 characters')

export const createInvitedUserSchema = z
  .strictObject({
    email: z.union([z.literal(''), z.email('must be an e-mail address').max(255)], {
      error: 'must be an e-mail address, or "" where a username is given',
    }),
    name: shortText.min(1, 'must not be empty'),
    password: z.string(),
    username: shortText.optional(),
  })
  .meta({ id: 'createInvitedUserSchema' })
