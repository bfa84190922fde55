import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import type { Frozen } from '../../../support/freeze.js'
import type { ApiTokenRecord } from '../api-tokens/schema.js'
import type { PersonalToken } from './schema.js'

/** The number of a token: made from its secret, so that it is the same wherever the token is. */
export function numberOf({ secret }: Pick<ApiTokenRecord, 'secret'>): number {
  const [a = 0, b = 0, c = 0] = sha256(utf8ToBytes(secret))
  return ((a << 16) | (b << 8) | c) + 1
}

/** A token without its secret. */
export function presentPersonalToken(token: Frozen<ApiTokenRecord>): PersonalToken {
  return {
    id: numberOf(token),
    description: token.tokenName,
    userId: token.userId ?? 0,
    createdAt: token.createdAt,
    expiresAt: token.expiresAt,
    seenAt: null,
  }
}
