import { badData } from '../../../contract/errors.js'
import { fail, ok } from '../../../support/result.js'
import { logEvent } from '../../instance/events/actions.js'
import { defineOperation } from '../../shared/operation.js'
import { toInstant } from '../../shared/schema.js'
import type { ApiTokenRecord } from '../api-tokens/schema.js'
import { callingUser } from '../callers/lookup.js'
import { presentPersonalToken, summarizePersonalToken } from './present.js'
import { tokenId } from './rules.js'
import { createdPersonalTokenSchema, createPersonalTokenSchema, personalTokensSchema } from './schema.js'

const tag = 'Personal access tokens'
const path = '/api/admin/user/tokens'

/** The personal tokens that a user can have. */
const MOST_TOKENS = 10

const getPats = defineOperation({
  id: 'getPats',
  method: 'GET',
  path,
  summary: 'The personal access tokens of the calling user',
  tag,
  success: { status: 200, description: 'The tokens, without their secrets', schema: personalTokensSchema },
  errors: [404],
  run: ({ context }) => {
    const user = callingUser(context.caller)
    if (!user.ok) return user
    return ok({ body: { pats: context.tables.apiTokens.by('user', user.value.id).map(presentPersonalToken) } })
  },
})

const createPat = defineOperation({
  id: 'createPat',
  method: 'POST',
  path,
  summary: 'Create a personal access token; the answer is the only one with its secret',
  tag,
  body: createPersonalTokenSchema,
  success: { status: 201, description: 'The token', schema: createdPersonalTokenSchema },
  errors: [403, 404, 409],
  run: ({ body: { description, expiresAt }, context }) => {
    const { tables, ids } = context
    const user = callingUser(context.caller)
    if (!user.ok) return user
    if (Date.parse(expiresAt) < context.now.getTime()) {
      return fail(badData(`The token would have expired already, at ${toInstant(expiresAt)}.`, '/body/expiresAt'))
    }
    const own = tables.apiTokens.by('user', user.value.id)
    if (own.length >= MOST_TOKENS) {
      return fail({ kind: 'operationDenied', message: `A user can't have more than ${MOST_TOKENS} tokens.` })
    }
    if (own.some(({ tokenName }) => tokenName === description)) {
      return fail({ kind: 'nameExists', message: `There is already a token with the description "${description}".` })
    }
    const token: ApiTokenRecord = {
      secret: `user:${ids.hex(28)}`,
      type: 'user',
      tokenName: description,
      environment: '*',
      projects: ['*'],
      userId: user.value.id,
      expiresAt: toInstant(expiresAt),
      createdAt: toInstant(context.now),
    }
    tables.apiTokens.insert(token)
    const shown = presentPersonalToken(token)
    logEvent(context, { type: 'pat-created', data: summarizePersonalToken(token) })
    return ok({ body: { ...shown, secret: token.secret } })
  },
})

const deletePat = defineOperation({
  id: 'deletePat',
  method: 'DELETE',
  path: `${path}/:id`,
  integers: ['id'],
  summary: 'Delete a personal access token of the calling user',
  tag,
  success: { status: 200, description: 'The user has no such token any more' },
  errors: [404],
  run: ({ params, context }) => {
    const { tables } = context
    const user = callingUser(context.caller)
    if (!user.ok) return user
    const token = tables.apiTokens.by('user', user.value.id).find((own) => String(tokenId(own)) === params.id)
    if (token === undefined) return ok({})
    tables.apiTokens.remove(token.secret)
    logEvent(context, { type: 'pat-deleted', data: summarizePersonalToken(token) })
    return ok({})
  },
})

export const personalTokenOperations = [getPats, createPat, deletePat] as const
