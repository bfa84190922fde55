import * as z from 'zod'
import { secret } from '../../../contract/secrets.js'
import { isEmailAddress } from '../../../support/email.js'
import { instantSchema } from '../../shared/schema.js'
import { briefRoleSchema } from '../roles/schema.js'

export const feedbackSchema = z
  .object({
    /** The id of the question. */
    feedbackId: z.string(),
    /** Whether it is never shown again. */
    neverShow: z.boolean(),
    /** When it was answered; null if it was not. */
    given: instantSchema.nullable(),
  })
  .meta({ id: 'feedbackSchema' })

/** A user as it is stored. */
export const userRecordSchema = z.object({
  id: z.int(),
  /** The name to show. Default: null. */
  name: z.string().nullable(),
  email: z.string().nullable(),
  /** The name for signing in. Default: null. */
  username: z.string().nullable(),
  /** The id of the role in the whole service. Default: 3, Viewer. */
  rootRole: z.int(),
  /** A person or a program. Default: `User`. */
  accountType: z.enum(['User', 'Service Account']),
  /** How often signing in failed. Default: 0. */
  loginAttempts: z.int(),
  seenAt: instantSchema.nullable(),
  createdAt: instantSchema,
  /** The id in a directory (SCIM). Default: null. */
  scimId: z.string().nullable(),
  /** The hash of the password, as snapshots have it. */
  passwordHash: z.string().nullable(),
  /** The hashes of earlier passwords, the last one first. None of them can be chosen again. Default: none. */
  earlierPasswords: z.array(z.string()).optional(),
  /** When somebody last asked for a new password for the user. Default: never. */
  resetAskedAt: instantSchema.optional(),
  /** Questions that the user answered or dismissed. */
  feedback: z.array(feedbackSchema),
  /** Screens that the user has seen, by id. */
  splash: z.record(z.string(), z.boolean()),
})

export type UserRecord = z.infer<typeof userRecordSchema>

/** A user as it is returned, with all fields of the document. */
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

/** A user in brief. */
const briefAccountSchema = z.object({
  accountType: z.string(),
  id: z.int(),
  name: z.string().optional(),
  username: z.string().optional(),
  email: z.string().optional(),
  imageUrl: z.string(),
  seenAt: instantSchema.nullable(),
  loginAttempts: z.int(),
  createdAt: instantSchema,
})

export type BriefAccount = z.infer<typeof briefAccountSchema>

/** A user from the endpoints that the document leaves open: as the running service was observed to answer. */
export const accountSchema = briefAccountSchema
  .extend({
    scimId: z.string().nullable(),
    seatType: z.null(),
    companyRole: z.null(),
    productUpdatesEmailConsent: z.null(),
  })
  .meta({ id: 'accountSchema' })

export type Account = z.infer<typeof accountSchema>

export const managedUserSchema = accountSchema.extend({ rootRole: z.int() }).meta({ id: 'managedUserSchema' })

export type ManagedUser = z.infer<typeof managedUserSchema>

const listedUserSchema = managedUserSchema.extend({ inviteLink: secret(z.string()) }).meta({ id: 'listedUserSchema' })

const shortText = z.string().max(255, 'must not be longer than 255 characters')

export const usersSchema = z
  .object({ users: z.array(listedUserSchema), rootRoles: z.array(briefRoleSchema) })
  .meta({ id: 'usersSchema' })

/** A role by its id or its name. */
const rootRoleSchema = z.union([z.int(), z.string()], { error: "must be a role's id or name" })

const emailSchema = z
  .string()
  .refine(isEmailAddress, 'must be an e-mail address')
  .meta({ format: 'email', maxLength: 254 })

/** An empty e-mail stands for none. */
const optionalEmailSchema = z.union([z.literal(''), emailSchema], { error: 'must be an e-mail address' }).optional()

export const createUserSchema = z
  .strictObject({
    username: shortText.optional(),
    email: optionalEmailSchema,
    name: shortText.optional(),
    password: secret(z.string()).optional(),
    rootRole: rootRoleSchema,
    sendEmail: z.boolean().optional(),
  })
  .meta({ id: 'createUserSchema' })

export const createUserResponseSchema = managedUserSchema
  .extend({ inviteLink: secret(z.string()), emailSent: z.boolean() })
  .meta({ id: 'createUserResponseSchema' })

export const updateUserSchema = z
  .object({ email: optionalEmailSchema, name: shortText.optional(), rootRole: rootRoleSchema.optional() })
  .meta({ id: 'updateUserSchema' })

export const givenPasswordSchema = z
  .strictObject({
    password: secret(z.string()),
    oldPassword: secret(z.string()).optional(),
    confirmPassword: secret(z.string()).optional(),
  })
  .meta({ id: 'givenPasswordSchema' })

export const userIdSchema = z.strictObject({ id: z.union([z.int(), z.string()]) }).meta({ id: 'userIdSchema' })

export const resetPasswordLinkSchema = z
  .object({ resetPasswordUrl: secret(z.string()) })
  .meta({ id: 'resetPasswordLinkSchema' })

export const usersQuerySchema = z.object({ q: z.string().optional() })

export const usersSearchSchema = z.array(briefAccountSchema).meta({ id: 'usersSearchSchema' })

const candidateSchema = briefAccountSchema.pick({
  id: true,
  name: true,
  username: true,
  email: true,
  accountType: true,
})

export type Candidate = z.infer<typeof candidateSchema>

export const usersAndGroupsSchema = z
  .object({ users: z.array(candidateSchema), groups: z.array(z.never()) })
  .meta({ id: 'usersAndGroupsSchema' })

export const adminCountSchema = z
  .object({ password: z.int(), noPassword: z.int(), service: z.int() })
  .meta({ id: 'adminCountSchema' })
