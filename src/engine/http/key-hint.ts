import { acceptedTokens, environmentIn, keyIn } from '../../service/resources/people/callers.js'
import type { Answer } from './answer.js'
import type { CallInWorld } from './call.js'

/**
 * A hint on a 401 of a path that takes API tokens: a token that works there, of the environment that the sent token names
 * if there is such a token. Pages of other sites get no hint, because a fixture's tokens are none of their business.
 */
export function keyHint({ isTrusted, headers, row, world }: CallInWorld, { status }: Answer): string | undefined {
  if (status !== 401 || row.access === 'public' || !isTrusted) return undefined
  const tokens = acceptedTokens(row.access, { tables: world.data.tables, now: world.clock.now() })
  const named = environmentIn(keyIn(headers.get('authorization')), world.data.tables)
  const ofNamed = tokens.find(({ environment }) => environment === named)
  const token = ofNamed ?? tokens[0]
  if (token === undefined) return `The scenario "${world.name}" has no API token for this path. Sign in and create one.`
  const ofUser = token.type === 'user' ? undefined : tokens.find(({ type }) => type === 'user')
  const also = ofUser === undefined ? '' : `, or ${ofUser.secret} to act as a user`
  const { access } = row
  const isMissing = named !== undefined && ofNamed === undefined && (access === 'client' || access === 'frontend')
  const send = isMissing ? `${missingToken(access, named)} Or send` : 'Send'
  return `${send} the header Authorization: ${token.secret}${also}. GET /__mock/keys lists all API tokens.`
}

function missingToken(type: string, environment: string): string {
  const token = `{ "secret": "*:${environment}.mine", "type": "${type}", "environment": "${environment}" }`
  return `No ${type} token for the environment "${environment}" exists. A fixture can add it: { "apiTokens": [${token}] }.`
}
