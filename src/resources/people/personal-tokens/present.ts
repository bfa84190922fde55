import type { Frozen } from '../../../support/freeze.js'
import type { ApiTokenRecord } from '../api-tokens/schema.js'
import { tokenId } from './rules.js'
import type { PersonalToken } from './schema.js'

/** A personal access token, without its secret. */
export function presentPersonalToken(token: Frozen<ApiTokenRecord>): PersonalToken {
  return {
    id: tokenId(token),
    description: token.tokenName,
    userId: token.userId ?? 0,
    createdAt: token.createdAt,
    expiresAt: token.expiresAt,
    seenAt: null,
  }
}

/** A personal access token as events show it. */
export function summarizePersonalToken(token: Frozen<ApiTokenRecord>) {
  const { id, description, expiresAt } = presentPersonalToken(token)
  return { id, description, expiresAt, secure: false }
}
