import { ok } from '../../support/result.js'
import { defineOperation } from '../define-operation.js'
import type { UserRecord } from '../users/schema.js'
import type { World } from '../world.js'
import { callingUser } from './rules.js'
import { createFeedbackSchema, feedbackResponseSchema, splashResponseSchema, updateFeedbackSchema } from './schema.js'

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
  run: ({ body: { feedbackId, neverShow = false }, world }) =>
    noteFeedback({ feedbackId, neverShow, given: world.now.toISOString() }, world),
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
  run: ({ params: { id: feedbackId }, body: { neverShow = false, given = null }, world }) =>
    noteFeedback({ feedbackId, neverShow, given }, world),
})

const updateSplashSettings = defineOperation({
  id: 'updateSplashSettings',
  method: 'POST',
  path: '/api/admin/splash/:id',
  summary: 'Note that the calling user has seen a screen',
  tag,
  access: 'admin',
  success: { status: 200, description: 'What is noted', schema: splashResponseSchema },
  errors: [401, 404],
  run: ({ params: { id: splashId }, world }) => {
    const user = callingUser(world.caller)
    if (!user.ok) return user
    world.tables.users.replace({ ...user.value, splash: { ...user.value.splash, [splashId]: true } })
    return ok({ body: { userId: user.value.id, splashId, seen: true } })
  },
})

export const screenOperations = [createFeedback, updateFeedback, updateSplashSettings] as const

function noteFeedback(noted: UserRecord['feedback'][number], world: World) {
  const user = callingUser(world.caller)
  if (!user.ok) return user
  const others = user.value.feedback.filter(({ feedbackId }) => feedbackId !== noted.feedbackId)
  world.tables.users.replace({ ...user.value, feedback: [...others, noted] })
  return ok({ body: { userId: user.value.id, ...noted } })
}
