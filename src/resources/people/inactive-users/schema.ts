import * as z from 'zod'
import { instantSchema } from '../../shared/schema.js'
import { userSchema } from '../users/schema.js'

const inactiveUserSchema = userSchema
  .pick({ id: true, name: true, email: true, username: true, seenAt: true, createdAt: true })
  .extend({ patSeenAt: instantSchema.nullable() })
  .meta({ id: 'inactiveUserSchema' })

export const inactiveUsersSchema = z
  .object({ version: z.literal(1), inactiveUsers: z.array(inactiveUserSchema) })
  .meta({ id: 'inactiveUsersSchema' })

export const idsSchema = z.strictObject({ ids: z.array(z.number().min(0)) }).meta({ id: 'idsSchema' })
