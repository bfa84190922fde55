import * as z from 'zod'
import { feedbackSchema } from '../../people/users/schema.js'
import { instantSchema } from '../../shared/schema.js'

export const createFeedbackSchema = z
  .object({ feedbackId: z.string(), neverShow: z.boolean().optional() })
  .meta({ id: 'createFeedbackSchema' })

export const updateFeedbackSchema = z
  .object({ neverShow: z.boolean().optional(), given: instantSchema.nullable().optional() })
  .meta({ id: 'updateFeedbackSchema' })

export const feedbackResponseSchema = feedbackSchema.extend({ userId: z.int() }).meta({ id: 'feedbackResponseSchema' })

export const splashResponseSchema = z
  .object({ userId: z.int(), splashId: z.string(), seen: z.boolean() })
  .meta({ id: 'splashResponseSchema' })
