import * as z from 'zod'
import { secret } from '../../../contract/secrets.js'
import { ruledText } from '../../shared/schema.js'
import { emailFault, nameFault } from './rules.js'

const LONGEST = 255

const tooLong = `must not be longer than ${LONGEST} characters`

/** A user who signs up. */
export const createInvitedUserSchema = z
  .strictObject({
    email: ruledText(emailFault).max(LONGEST, tooLong),
    name: ruledText(nameFault).max(LONGEST, tooLong),
    password: secret(z.string()),
    username: z.string().max(LONGEST, tooLong).optional(),
  })
  .meta({ id: 'createInvitedUserSchema' })

export type CreateInvitedUser = z.infer<typeof createInvitedUserSchema>
