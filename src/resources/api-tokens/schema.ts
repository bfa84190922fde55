import * as z from 'zod'
import { instantSchema } from '../common.js'

/**
 * What an `Authorization` header can hold. `admin`, `client`, `backend` (another name for
 * `client`) and `frontend` are API tokens of the service;
 * `user` is a personal access token, which may do what its user may.
 */
export const apiTokenRecordSchema = z.object({
  secret: z.string().min(1),
  type: z.enum(['admin', 'client', 'backend', 'frontend', 'user']),
  tokenName: z.string(),
  environment: z.string(),
  projects: z.array(z.string()),
  userId: z.int().nullable(),
  expiresAt: instantSchema.nullable(),
  createdAt: instantSchema,
})

export type ApiTokenRecord = z.infer<typeof apiTokenRecordSchema>
