import * as z from 'zod'
import { secret } from '../../../contract/secrets.js'
import { instantSchema, sentInstantSchema } from '../../shared/schema.js'

/** A personal access token as it is returned. Its secret is returned only once, on creation. */
const personalTokenSchema = z
  .object({
    id: z.int(),
    description: z.string(),
    userId: z.int(),
    createdAt: instantSchema,
    expiresAt: instantSchema.nullable(),
    seenAt: instantSchema.nullable(),
  })
  .meta({ id: 'patSchema' })

export type PersonalToken = z.infer<typeof personalTokenSchema>

export const createdPersonalTokenSchema = personalTokenSchema
  .extend({ secret: secret(z.string()) })
  .meta({ id: 'createdPatSchema' })

export const personalTokensSchema = z.object({ pats: z.array(personalTokenSchema) }).meta({ id: 'patsSchema' })

export const createPersonalTokenSchema = z
  .object({ description: z.string().min(1, 'must not be empty').max(255), expiresAt: sentInstantSchema })
  .meta({ id: 'createPatSchema' })
