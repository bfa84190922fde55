import * as z from 'zod'
import { badData, reject } from '../../contract/errors.js'
import { callingUser } from '../people/callers.js'
import { feedbackSchema, type StoredUser, type UserRecord } from '../people/users.js'
import { checkFieldName } from '../shared/checks.js'
import type { OperationContext } from '../shared/context.js'
import { ok, operations, post, put } from '../shared/rows.js'
import { named, sentInstantSchema, toInstant } from '../shared/schema.js'

const feedbackResponseSchema = named('feedbackResponseSchema', () => feedbackSchema.extend({ userId: z.int() }).shape)

const splashResponseSchema = named('splashResponseSchema', () => ({
  userId: z.int().optional(),
  splashId: z.string(),
  seen: z.boolean(),
}))

/** The maximum feedback prompts, and the maximum splash screens, of a user. The oldest are dropped first. */
export const SCREENS_KEPT = 1000

export const screenOperations = operations('Users', {
  createFeedback: post('/api/admin/feedback', {
    summary: 'Record that the calling user got a feedback prompt',
    body: named('createFeedbackSchema', () => ({ feedbackId: z.string(), neverShow: z.boolean().optional() })),
    success: ok('The record', feedbackResponseSchema),
    errors: [404],
    run: ({ body: { feedbackId, neverShow = false }, context }) => {
      if (feedbackId === '') reject(badData('The feedbackId must not be empty.', '/body/feedbackId'))
      return noteFeedback({ feedbackId, neverShow, given: toInstant(context.now) }, context)
    },
  }),

  updateFeedback: put('/api/admin/feedback/:id', {
    summary: "Change the record of the calling user's feedback",
    body: named('updateFeedbackSchema', () => ({
      neverShow: z.boolean().optional(),
      given: sentInstantSchema.nullable().optional(),
    })),
    success: ok('The record', feedbackResponseSchema),
    run: ({ params: { id: feedbackId }, body: { neverShow = false, given }, context }) =>
      noteFeedback({ feedbackId, neverShow, given: toInstant(given ?? context.now) }, context),
  }),

  updateSplashSettings: post('/api/admin/splash/:id', {
    summary: 'Record that the calling user has seen a screen',
    success: ok('The record', splashResponseSchema),
    errors: [400, 404],
    run: ({ params: { id: splashId }, context }) => {
      reject(checkFieldName(splashId, '/params/id'))
      const { caller, tables } = context
      // Unleash remembers nothing for an API token.
      if (caller.user !== undefined) tables.users.replace(withScreen(caller.user, splashId))
      return { body: { ...(caller.user && { userId: caller.user.id }), splashId, seen: true } }
    },
  }),
})

function withScreen(user: StoredUser, splashId: string): StoredUser {
  const others = Object.entries(user.splash).filter(([id]) => id !== splashId)
  return { ...user, splash: Object.fromEntries([...others, [splashId, true] as const].slice(-SCREENS_KEPT)) }
}

function noteFeedback(noted: UserRecord['feedback'][number], context: OperationContext) {
  const user = callingUser(context.caller)
  const others = user.feedback.filter(({ feedbackId }) => feedbackId !== noted.feedbackId)
  context.tables.users.replace({ ...user, feedback: [...others, noted].slice(-SCREENS_KEPT) })
  return { body: { userId: user.id, ...noted } }
}
