import * as z from 'zod'
import { secret } from '../../../contract/secrets.js'
import { instantSchema, sentInstantSchema } from '../../shared/schema.js'

/**
 * A token for the `Authorization` header. `admin`, `client`, `backend` (another name for `client`) and `frontend` are API
 * tokens of the service; `user` is a personal access token, which has the permissions of its user.
 */
export const apiTokenRecordSchema = z.object({
  secret: z.string().min(1),
  /** What it is for. */
  type: z.enum(['admin', 'client', 'backend', 'frontend', 'user']),
  /** The name to show. */
  tokenName: z.string(),
  /** The environment of an SDK's key, or `*`. */
  environment: z.string(),
  projects: z.array(z.string()),
  /** The user that a personal key belongs to. */
  userId: z.int().nullable(),
  /** Another name that SDKs may send in place of the secret. Default: null. */
  alias: z.string().nullable().optional(),
  expiresAt: instantSchema.nullable(),
  createdAt: instantSchema,
})

export type ApiTokenRecord = z.infer<typeof apiTokenRecordSchema>

/** An API token as it is returned. */
const apiTokenSchema = z
  .object({
    secret: secret(z.string()),
    tokenName: z.string(),
    type: z.string(),
    environment: z.string(),
    project: z.string(),
    projects: z.array(z.string()),
    expiresAt: instantSchema.nullable(),
    createdAt: instantSchema,
    seenAt: instantSchema.nullable(),
    alias: z.string().nullable(),
    secure: z.boolean(),
  })
  .meta({ id: 'apiTokenSchema' })

/** An API token in the answer to its creation: without `seenAt`, and without `expiresAt` if it never expires. */
export const newApiTokenSchema = apiTokenSchema
  .omit({ seenAt: true })
  .partial({ expiresAt: true })
  .meta({ id: 'newApiTokenSchema' })

export type ApiToken = z.infer<typeof apiTokenSchema>

export const apiTokensSchema = z.object({ tokens: z.array(apiTokenSchema) }).meta({ id: 'apiTokensSchema' })

const SDK_TYPE = /^([Cc][Ll][Ii][Ee][Nn][Tt]|[Bb][Aa][Cc][Kk][Ee][Nn][Dd]|[Ff][Rr][Oo][Nn][Tt][Ee][Nn][Dd])$/

const newTokenSchema = z.object({
  type: z.string().regex(SDK_TYPE, `must be client, backend or frontend (pattern "${SDK_TYPE.source}")`),
  tokenName: z.string().min(1, 'must not be empty'),
  environment: z.string().optional(),
  expiresAt: sentInstantSchema.optional(),
})

export const createApiTokenSchema = newTokenSchema
  .extend({ project: z.string().optional(), projects: z.array(z.string()).optional() })
  .meta({ id: 'createApiTokenSchema' })

export const createProjectApiTokenSchema = newTokenSchema.meta({ id: 'createProjectApiTokenSchema' })

export const updateApiTokenSchema = z.object({ expiresAt: sentInstantSchema }).meta({ id: 'updateApiTokenSchema' })
