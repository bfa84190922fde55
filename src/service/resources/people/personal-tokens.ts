import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import * as z from 'zod'
import { badData, reject } from '../../contract/errors.js'
import { secret } from '../../contract/secrets.js'
import { logEvent } from '../instance/events.operations.js'
import type { Caller } from '../shared/context.js'
import { completed } from '../shared/fields.js'
import { del, get, ok, operations, post } from '../shared/rows.js'
import { instantSchema, named, ruledText, sentInstantSchema, toInstant } from '../shared/schema.js'
import { type ApiTokenRecord, apiTokenRecordSchema, newSecret, type StoredApiToken, selectorOf } from './api-tokens.js'
import { callingUser, NO_USER } from './callers.js'
import type { StoredUser } from './users.js'

/** A personal access token in responses. Only the response to its creation contains its secret. */
const personalTokenSchema = named('patSchema', () => ({
  id: z.int(),
  description: z.string(),
  userId: z.int(),
  createdAt: instantSchema,
  expiresAt: instantSchema.nullable(),
  seenAt: instantSchema.nullable(),
}))

const createdPersonalTokenSchema = named(
  'createdPatSchema',
  () => personalTokenSchema.extend({ secret: secret(z.string()) }).shape,
)

/** The ID of a token: derived from its secret, so that it is the same in every world with the token. */
function tokenId({ secret }: Pick<ApiTokenRecord, 'secret'>): number {
  const [a = 0, b = 0, c = 0] = sha256(utf8ToBytes(secret))
  return ((a << 16) | (b << 8) | c) + 1
}

function presentPersonalToken(token: StoredApiToken): z.infer<typeof personalTokenSchema> {
  const { tokenName: description, userId, createdAt, expiresAt } = token
  return { id: tokenId(token), description, userId: userId ?? 0, createdAt, expiresAt, seenAt: null }
}

function summarizePersonalToken(token: StoredApiToken) {
  const { id, description, expiresAt } = presentPersonalToken(token)
  const selector = selectorOf(token)
  return { id, description, expiresAt, secure: selector !== undefined, ...(selector !== undefined && { selector }) }
}

function descriptionFault(description: string): string | undefined {
  return description === '' ? 'must not be empty' : undefined
}

const path = '/api/admin/user/tokens'

const MOST_TOKENS = 10

/** The calling user, or a 403 for an API token. */
function personCalling({ user }: Caller): StoredUser {
  return user ?? reject({ kind: 'forbidden', message: NO_USER })
}

export const personalTokenOperations = operations('Personal access tokens', {
  getPats: get(path, {
    summary: 'List the personal access tokens of the calling user',
    success: ok(
      'The tokens, without their secrets',
      named('patsSchema', () => ({ pats: z.array(personalTokenSchema) })),
    ),
    errors: [403],
    run: ({ context }) => {
      const user = personCalling(context.caller)
      return { body: { pats: context.tables.apiTokens.by('user', user.id).map(presentPersonalToken) } }
    },
  }),

  createPat: post(path, {
    summary: 'Create a personal access token; only this response contains its secret',
    body: named('createPatSchema', () => ({
      description: ruledText(descriptionFault).max(255),
      expiresAt: sentInstantSchema,
    })),
    success: { status: 201, description: 'The token', schema: createdPersonalTokenSchema },
    errors: [403, 409],
    run: ({ body: { description, expiresAt }, context, profile }) => {
      const { tables, ids } = context
      const user = personCalling(context.caller)
      const fault = descriptionFault(description)
      if (fault !== undefined) reject(badData(`The description ${fault}.`, '/body/description'))
      if (Date.parse(expiresAt) < context.now.getTime()) {
        reject(badData(`The token would have expired already, at ${toInstant(expiresAt)}.`, '/body/expiresAt'))
      }
      const own = tables.apiTokens.by('user', user.id)
      if (own.length >= MOST_TOKENS) {
        reject({ kind: 'operationDenied', message: `A user can't have more than ${MOST_TOKENS} tokens.` })
      }
      if (own.some(({ tokenName }) => tokenName === description)) {
        reject({ kind: 'nameExists', message: `There is already a token with the description "${description}".` })
      }
      const given = {
        secret: `user:${newSecret(ids, profile)}`,
        tokenName: description,
        userId: user.id,
        expiresAt,
        generated: true,
      }
      const token = completed(apiTokenRecordSchema, given, context)
      tables.apiTokens.insert(token)
      logEvent(context, { type: 'pat-created', data: summarizePersonalToken(token) })
      return { body: { ...presentPersonalToken(token), secret: token.secret } }
    },
  }),

  deletePat: del(`${path}/:id`, {
    integers: ['id'],
    summary: 'Delete a personal access token of the calling user',
    success: { status: 200, description: 'The token no longer exists' },
    run: ({ params, context, tables }) => {
      const user = callingUser(context.caller)
      const token = tables.apiTokens.by('user', user.id).find((own) => String(tokenId(own)) === params.id)
      if (token === undefined) return
      tables.apiTokens.remove(token.secret)
      logEvent(context, { type: 'pat-deleted', data: summarizePersonalToken(token) })
    },
  }),
})
