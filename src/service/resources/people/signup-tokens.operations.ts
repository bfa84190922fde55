import * as z from 'zod'
import { isPast } from '../../../support/calendar.js'
import type { Frozen } from '../../../support/freeze.js'
import { percentEncoded } from '../../../support/text.js'
import { failureAt, found, reject } from '../../contract/errors.js'
import { logEvent } from '../instance/events.operations.js'
import type { OperationContext } from '../shared/context.js'
import { completed } from '../shared/fields.js'
import { get, operations, post, put, view } from '../shared/rows.js'
import { named, toInstant } from '../shared/schema.js'
import { presentRole, VIEWER } from './roles.js'
import { roleOf } from './roles.model.js'
import {
  cappedExpiry,
  type PublicSignupToken,
  publicSignupTokenCreateSchema,
  publicSignupTokenSchema,
  publicSignupTokensSchema,
  publicSignupTokenUpdateSchema,
  type ServiceSignupToken,
  type StoredSignupToken,
  serviceSignupTokenSchema,
  signupTokenRecordSchema,
  updatedServiceSignupTokenSchema,
} from './signup-tokens.js'
import { presentUser } from './users.js'

type TokenContext = Pick<OperationContext, 'tables' | 'now' | 'baseUrl'>

/** A token in full. An expired token appears disabled. */
function presentSignupToken(token: StoredSignupToken, context: TokenContext): Frozen<PublicSignupToken> {
  return presentAsStored(token, context, token.enabled && !isPast(token.expiresAt, context.now))
}

/**
 * A token in full, with the stored `enabled`, even if it has expired. Field by field, because spreading frozen records is
 * slow.
 */
export function presentAsStored(
  token: StoredSignupToken,
  { tables, baseUrl }: Pick<TokenContext, 'tables' | 'baseUrl'>,
  enabled = token.enabled,
): Frozen<PublicSignupToken> {
  return {
    secret: token.secret,
    url: inviteLink(token.secret, baseUrl),
    name: token.name,
    enabled,
    expiresAt: token.expiresAt,
    createdAt: token.createdAt,
    createdBy: token.createdBy,
    users: token.users.flatMap(({ id }) => tables.users.get(id) ?? []).map(presentUser),
    role: presentRole(roleOf(token.role.id, tables)),
  }
}

/** A token as in Unleash's responses: with its role and its users in brief. */
function presentAsService(token: StoredSignupToken, context: TokenContext): ServiceSignupToken {
  const { role, users, ...rest } = presentAsStored(token, context)
  return {
    ...rest,
    role: { id: role.id, name: role.name, type: role.type },
    users: users.map(({ id, name, username }) => ({ id, name, username })),
  }
}

const tokenView = view<StoredSignupToken>({
  documented: { schema: publicSignupTokenSchema, present: presentSignupToken },
  'unleash-8': { schema: serviceSignupTokenSchema, present: presentAsService },
})

/** A token in full, for tests. */
export const wholeTokenView = view<StoredSignupToken, TokenContext>({
  documented: { schema: publicSignupTokenSchema, present: presentSignupToken },
  'unleash-8': { schema: publicSignupTokenSchema, present: presentAsStored },
})

const tokensView = view<readonly StoredSignupToken[]>({
  documented: {
    schema: publicSignupTokensSchema,
    present: (tokens, context) => ({ tokens: tokens.map((token) => presentSignupToken(token, context)) }),
  },
  'unleash-8': {
    schema: named('serviceSignupTokensSchema', () => ({ tokens: z.array(serviceSignupTokenSchema) })),
    present: (tokens, context) => ({ tokens: tokens.map((token) => presentAsService(token, context)) }),
  },
})

/** A token after an update. Unleash then omits its role and its users. */
const updatedTokenView = view<StoredSignupToken>({
  documented: { schema: publicSignupTokenSchema, present: presentSignupToken },
  'unleash-8': {
    schema: updatedServiceSignupTokenSchema,
    present: (token, context) => ({ ...presentAsService(token, context), role: {}, users: [] }),
  },
})

/** The URL of the page where a user signs up with a token. */
export function inviteLink(secret: string, baseUrl: string): string {
  return `${baseUrl}/new-user?invite=${percentEncoded(secret)}`
}

export const signupTokenOperations = operations('Public signup tokens', {
  getAllPublicSignupTokens: get('/api/admin/invite-link/tokens', {
    summary: 'List the public signup tokens',
    permission: 'ADMIN',
    success: { status: 200, description: 'The tokens', view: tokensView },
    run: ({ context }) => ({ body: context.tables.signupTokens.list() }),
  }),

  createPublicSignupToken: post('/api/admin/invite-link/tokens', {
    summary: 'Create a public signup token, valid for at most one calendar month',
    permission: 'ADMIN',
    body: publicSignupTokenCreateSchema,
    success: {
      status: 201,
      description: 'The token',
      view: tokenView,
      headers: { location: 'The path of the token, relative to this path' },
    },
    run: ({ body, context, profile }) => {
      const secret = context.ids.hex(16)
      const expiresAt = toInstant(cappedExpiry(new Date(body.expiresAt), context.now))
      const given = { secret, name: body.name, expiresAt, createdBy: context.caller.username }
      const token = completed(signupTokenRecordSchema, given, context, { users: [], role: { id: VIEWER } })
      context.tables.signupTokens.insert(token)
      const data = tokenView[profile.name].present(token, context)
      logEvent(context, { type: 'public-signup-token-created', data })
      return { headers: { location: `tokens/${token.secret}` }, body: token }
    },
  }),

  getPublicSignupToken: get('/api/admin/invite-link/tokens/:token', {
    summary: 'Get a public signup token, by its secret',
    permission: 'ADMIN',
    success: { status: 200, description: 'The token', view: tokenView },
    run: ({ params, context }) => ({ body: findSignupToken(params.token, context) }),
  }),

  updatePublicSignupToken: put('/api/admin/invite-link/tokens/:token', {
    summary: 'Change the expiry of a public signup token, or switch it on or off',
    description: () => 'Changes the expiry date and the enabled flag of a token. Omitted fields stay unchanged.',
    permission: 'ADMIN',
    body: publicSignupTokenUpdateSchema,
    success: { status: 200, description: 'The updated token', view: updatedTokenView },
    bodiless: ['nothingToChange'],
    run: ({ params, body, context }) => {
      const { enabled, expiresAt } = body
      if (enabled === undefined && expiresAt === undefined) {
        reject(failureAt('nothingToChange', 'Nothing to change: send "expiresAt", "enabled" or both.', '/body'))
      }
      const token = findSignupToken(params.token, context)
      const change: { enabled?: boolean; expiresAt?: string } = {}
      if (enabled !== undefined) change.enabled = enabled
      if (expiresAt !== undefined) change.expiresAt = toInstant(expiresAt)
      const updated = { ...token, ...change }
      context.tables.signupTokens.replace(updated)
      logEvent(context, { type: 'public-signup-token-updated', data: { secret: token.secret, ...change } })
      return { body: updated }
    },
  }),
})

function findSignupToken(secret: string, { tables }: OperationContext): StoredSignupToken {
  return found(tables.signupTokens.get(secret), () => `There is no public signup token with the secret "${secret}".`)
}
