import { acceptedTokens } from '../../service/resources/people/callers.js'
import type { Answer } from './answer.js'
import type { CallInWorld } from './call.js'

/**
 * A hint on a 401 of a path that takes API tokens: a token that works there. Pages of other sites get no hint, because a
 * fixture's tokens are none of their business.
 */
export function keyHint({ isTrusted, row, world }: CallInWorld, { status }: Answer): string | undefined {
  if (status !== 401 || row.access === 'public' || !isTrusted) return undefined
  const tokens = acceptedTokens(row.access, { tables: world.data.tables, now: world.clock.now() })
  const [token] = tokens
  if (token === undefined) return `The scenario "${world.name}" has no API token for this path. Sign in and create one.`
  const ofUser = token.type === 'user' ? undefined : tokens.find(({ type }) => type === 'user')
  const also = ofUser === undefined ? '' : `, or ${ofUser.secret} to act as a user`
  return `Send the header Authorization: ${token.secret}${also}. GET /__mock/keys lists all API tokens.`
}
