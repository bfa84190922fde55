import { badData } from '../../../contract/errors.js'
import { fail, ok } from '../../../support/result.js'
import { callingUser } from '../../people/callers/lookup.js'
import type { UserRecord } from '../../people/users/schema.js'
import type { OperationContext } from '../../shared/context.js'
import { defineOperation } from '../../shared/operation.js'
import { toInstant } from '../../shared/schema.js'
import { SCREENS_KEPT, withScreen } from './rules.js'
import { createFeedbackSchema, feedbackResponseSchema, splashResponseSchema, updateFeedbackSchema } from './schema.js'

const tag = 'Users'

const createFeedback = defineOperation({
  id: 'createFeedback',
  method: 'POST',
  path: '/api/admin/feedback',
  summary: 'Record that the calling user was asked for feedback',
  tag,
  body: createFeedbackSchema,
  success: { status: 200, description: 'The record', schema: feedbackResponseSchema },
  errors: [404],
  run: ({ body: { feedbackId, neverShow = false }, context }) =>
    noteFeedback({ feedbackId, neverShow, given: toInstant(context.now) }, context),
})

const updateFeedback = defineOperation({
  id: 'updateFeedback',
  method: 'PUT',
  path: '/api/admin/feedback/:id',
  summary: 'Change the record about the feedback of the calling user',
  tag,
  body: updateFeedbackSchema,
  success: { status: 200, description: 'The record', schema: feedbackResponseSchema },
  errors: [404],
  run: ({ params: { id: feedbackId }, body: { neverShow = false, given = null }, context }) =>
    noteFeedback({ feedbackId, neverShow, given }, context),
})

const updateSplashSettings = defineOperation({
  id: 'updateSplashSettings',
  method: 'POST',
  path: '/api/admin/splash/:id',
  summary: 'Record that the calling user has seen a screen',
  tag,
  success: { status: 200, description: 'The record', schema: splashResponseSchema },
  errors: [400, 404],
  run: ({ params: { id: splashId }, context }) => {
    // Readers of JSON objects drop this key, or worse.
    if (splashId === '__proto__') return fail(badData('No screen can be named "__proto__".', '/params/id'))
    const user = callingUser(context.caller)
    if (!user.ok) return user
    context.tables.users.replace({ ...user.value, splash: withScreen(user.value.splash, splashId) })
    return ok({ body: { userId: user.value.id, splashId, seen: true } })
  },
})

export const screenOperations = [createFeedback, updateFeedback, updateSplashSettings] as const

function noteFeedback(noted: UserRecord['feedback'][number], context: OperationContext) {
  const user = callingUser(context.caller)
  if (!user.ok) return user
  const others = user.value.feedback.filter(({ feedbackId }) => feedbackId !== noted.feedbackId)
  context.tables.users.replace({ ...user.value, feedback: [...others, noted].slice(-SCREENS_KEPT) })
  return ok({ body: { userId: user.value.id, ...noted } })
}
