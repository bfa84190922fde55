import { notFound } from '../../../contract/errors.js'
import { fail, ok } from '../../../support/result.js'
import { logEvent } from '../../instance/events/actions.js'
import { defineOperation } from '../../shared/operation.js'
import { toInstant } from '../../shared/schema.js'
import { VIEWER } from '../roles/rules.js'
import { tokensView, tokenView, updatedTokenView } from './present.js'
import { cappedExpiry, updateSignupToken } from './rules.js'
import {
  type PublicSignupTokenUpdate,
  publicSignupTokenCreateSchema,
  publicSignupTokenUpdateSchema,
  type SignupTokenRecord,
} from './schema.js'

const tag = 'Public signup tokens'

const getAllPublicSignupTokens = defineOperation({
  id: 'getAllPublicSignupTokens',
  method: 'GET',
  path: '/api/admin/invite-link/tokens',
  summary: 'All public signup tokens',
  tag,
  permission: 'ADMIN',
  success: { status: 200, description: 'The tokens', view: tokensView },
  run: ({ context }) => ok({ body: context.tables.signupTokens.list() }),
})

const createPublicSignupToken = defineOperation({
  id: 'createPublicSignupToken',
  method: 'POST',
  path: '/api/admin/invite-link/tokens',
  summary: 'Create a public signup token, valid for at most one calendar month',
  tag,
  permission: 'ADMIN',
  body: publicSignupTokenCreateSchema,
  success: {
    status: 201,
    description: 'The token',
    view: tokenView,
    headers: { location: 'Where the token is, relative to this path' },
  },
  run: ({ body, context, profile }) => {
    const token: SignupTokenRecord = {
      secret: context.ids.hex(16),
      name: body.name,
      enabled: true,
      expiresAt: toInstant(cappedExpiry(new Date(body.expiresAt), context.now)),
      createdAt: toInstant(context.now),
      createdBy: context.caller.username,
      users: [],
      role: { id: VIEWER },
    }
    context.tables.signupTokens.insert(token)
    const data = tokenView[profile.name].present(token, context)
    logEvent(context, { type: 'public-signup-token-created', data })
    return ok({ headers: { location: `tokens/${token.secret}` }, body: token })
  },
})

const getPublicSignupToken = defineOperation({
  id: 'getPublicSignupToken',
  method: 'GET',
  path: '/api/admin/invite-link/tokens/:token',
  summary: 'One public signup token, by its secret',
  tag,
  permission: 'ADMIN',
  success: { status: 200, description: 'The token', view: tokenView },
  errors: [404],
  run: ({ params, context }) => {
    const token = context.tables.signupTokens.get(params.token)
    return token === undefined ? unknownToken(params.token) : ok({ body: token })
  },
})

const updatePublicSignupToken = defineOperation({
  id: 'updatePublicSignupToken',
  method: 'PUT',
  path: '/api/admin/invite-link/tokens/:token',
  summary: 'Change the expiry of a public signup token, or switch it on or off',
  description: () => 'Changes the expiry date and the enabled flag of a token. What is not sent stays as it is.',
  tag,
  permission: 'ADMIN',
  body: publicSignupTokenUpdateSchema,
  success: {
    status: 200,
    description: 'The token as it is now',
    view: updatedTokenView,
  },
  errors: [404],
  run: ({ params, body, context }) => {
    const { enabled, expiresAt } = body
    if (enabled === undefined && expiresAt === undefined) {
      const message = 'Nothing to change: send "expiresAt", "enabled" or both.'
      return fail({ kind: 'nothingToChange', message, details: [{ message, path: '/body' }] })
    }
    const token = context.tables.signupTokens.get(params.token)
    if (token === undefined) return unknownToken(params.token)

    const change: PublicSignupTokenUpdate = {}
    if (enabled !== undefined) change.enabled = enabled
    if (expiresAt !== undefined) change.expiresAt = toInstant(expiresAt)
    const updated = updateSignupToken(token, change)
    context.tables.signupTokens.replace(updated)
    logEvent(context, { type: 'public-signup-token-updated', data: { secret: token.secret, ...change } })
    return ok({ body: updated })
  },
})

export const signupTokenOperations = [
  getAllPublicSignupTokens,
  createPublicSignupToken,
  getPublicSignupToken,
  updatePublicSignupToken,
] as const

function unknownToken(secret: string) {
  return fail(notFound(`There is no public signup token with the secret "${secret}".`))
}
