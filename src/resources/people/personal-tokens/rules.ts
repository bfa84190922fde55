import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import type { ApiTokenRecord } from '../api-tokens/schema.js'

/** The id of a token: derived from its secret, so that it is the same in every world that has the token. */
export function tokenId({ secret }: Pick<ApiTokenRecord, 'secret'>): number {
  const [a = 0, b = 0, c = 0] = sha256(utf8ToBytes(secret))
  return ((a << 16) | (b << 8) | c) + 1
}
