import { ok } from '../../../support/result.js'
import { callingUser } from '../../people/me/rules.js'
import {
  createFeedbackSchema,
  feedbackResponseSchema,
  splashResponseSchema,
  updateFeedbackSchema,
} from '../../people/me/schema.js'
import type { UserRecord } from '../../people/users/schema.js'
import type { OperationContext } from '../../shared/context.js'
import { defineOperation } from '../../shared/operation.js'

const tag = 'Users'
const errors = [400, 401, 404, 413, 415] as const

const createFeedback = defineOperation({
  id: 'createFeedback',
  method: 'POST',
  path: '/api/admin/feedback',
  summary: 'Note that the calling user was asked for feedback',
  tag,
  access: 'admin',
  body: createFeedbackSchema,
  success: { status: 200, description: 'What is noted', schema: feedbackResponseSchema },
  errors,
  run: ({ body: { feedbackId, neverShow = false }, context }) =>
    noteFeedback({ feedbackId, neverShow, given: context.now.toISOString() }, context),
})

const updateFeedback = defineOperation({
  id: 'updateFeedback',
  method: 'PUT',
  path: '/api/admin/feedback/:id',
  summary: 'Change what is noted of the feedback of the calling user',
  tag,
  access: 'admin',
  body: updateFeedbackSchema,
  success: { status: 200, description: 'What is noted', schema: feedbackResponseSchema },
  errors,
  run: ({ params: { id: feedbackId }, body: { neverShow = false, given = null }, context }) =>
    noteFeedback({ feedbackId, neverShow, given }, context),
})

const updateSplashSettings = defineOperation({
  id: 'updateSplashSettings',
  method: 'POST',
  path: '/api/admin/splash/:id',
  summary: 'Note that the calling user has seen a screen',
  tag,
  access: 'admin',
  success: { status: 200, description: 'What is noted', schema: splashResponseSchema },
  errors: [404],
  run: ({ params: { id: splashId }, context }) => {
    const user = callingUser(context.caller)
    if (!user.ok) return user
    context.tables.users.replace({ ...user.value, splash: { ...user.value.splash, [splashId]: true } })
    return ok({ body: { userId: user.value.id, splashId, seen: true } })
  },
})

export const screenOperations = [createFeedback, updateFeedback, updateSplashSettings] as const

function noteFeedback(noted: UserRecord['feedback'][number], context: OperationContext) {
  const user = callingUser(context.caller)
  if (!user.ok) return user
  const others = user.value.feedback.filter(({ feedbackId }) => feedbackId !== noted.feedbackId)
  context.tables.users.replace({ ...user.value, feedback: [...others, noted] })
  return ok({ body: { userId: user.value.id, ...noted } })
}
