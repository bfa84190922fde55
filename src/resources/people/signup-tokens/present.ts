import type { Frozen } from '../../../support/freeze.js'
import type { OperationContext } from '../../shared/context.js'
import { view } from '../../shared/operation.js'
import { roleOf } from '../roles/lookup.js'
import { presentRole } from '../roles/present.js'
import { presentUser } from '../users/present.js'
import { hasExpired } from './rules.js'
import {
  type PublicSignupToken,
  publicSignupTokenSchema,
  publicSignupTokensSchema,
  type ServiceSignupToken,
  type SignupTokenRecord,
  serviceSignupTokenSchema,
  serviceSignupTokensSchema,
  updatedServiceSignupTokenSchema,
} from './schema.js'

type Stored = Frozen<SignupTokenRecord>

type TokenContext = Pick<OperationContext, 'tables' | 'now' | 'baseUrl'>

/** A token in full. Once expired, it appears disabled. */
function presentSignupToken(token: Stored, context: TokenContext): PublicSignupToken {
  const whole = presentAsStored(token, context)
  return { ...whole, enabled: token.enabled && !hasExpired(token, context.now) }
}

/** A token in full, with `enabled` as it was set, even once expired. */
function presentAsStored(token: Stored, { tables, baseUrl }: TokenContext): PublicSignupToken {
  return {
    secret: token.secret,
    url: inviteLink(token.secret, baseUrl),
    name: token.name,
    enabled: token.enabled,
    expiresAt: token.expiresAt,
    createdAt: token.createdAt,
    createdBy: token.createdBy,
    users: token.users.flatMap(({ id }) => {
      const user = tables.users.get(id)
      return user === undefined ? [] : [presentUser(user)]
    }),
    role: presentRole(roleOf(token.role.id, tables)),
  }
}

/** A token as the running service returns it: with its role and its users in brief. */
function presentAsService(token: Stored, context: TokenContext): ServiceSignupToken {
  const { role, users, ...rest } = presentAsStored(token, context)
  return {
    ...rest,
    role: { id: role.id, name: role.name, type: role.type },
    users: users.map(({ id, name, username }) => ({ id, name, username })),
  }
}

export const tokenView = view<Stored>({
  documented: { schema: publicSignupTokenSchema, present: presentSignupToken },
  'unleash-8': { schema: serviceSignupTokenSchema, present: presentAsService },
})

/** A token in full, for tests. */
export const wholeTokenView = view<Stored, TokenContext>({
  documented: { schema: publicSignupTokenSchema, present: presentSignupToken },
  'unleash-8': { schema: publicSignupTokenSchema, present: presentAsStored },
})

export const tokensView = view<readonly Stored[]>({
  documented: {
    schema: publicSignupTokensSchema,
    present: (tokens, context) => ({ tokens: tokens.map((token) => presentSignupToken(token, context)) }),
  },
  'unleash-8': {
    schema: serviceSignupTokensSchema,
    present: (tokens, context) => ({ tokens: tokens.map((token) => presentAsService(token, context)) }),
  },
})

/** A token that was just updated. The running service then omits its role and its users. */
export const updatedTokenView = view<Stored>({
  documented: { schema: publicSignupTokenSchema, present: presentSignupToken },
  'unleash-8': {
    schema: updatedServiceSignupTokenSchema,
    present: (token, context) => ({ ...presentAsService(token, context), role: {}, users: [] }),
  },
})

/** The URL of the page where a user signs up with a token. */
export function inviteLink(secret: string, baseUrl: string): string {
  return `${baseUrl}/new-user?invite=${encodeURIComponent(secret)}`
}
