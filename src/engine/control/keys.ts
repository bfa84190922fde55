import type { ApiTokenRecord } from '../../service/resources/people/api-tokens.js'
import { quickStartKeys } from '../../service/resources/people/callers.js'
import { isPast } from '../../support/calendar.js'
import type { Frozen } from '../../support/freeze.js'
import type { State } from '../state/state.js'

/** A ready-to-use value for the `Authorization` header. */
export interface KeyDescription {
  authorization: string
  type: ApiTokenRecord['type']
  /** The owner: an email address, or the name of the token. */
  holder: string
  /** Its permissions, in words. */
  allows: string
}

type Holders = Frozen<Pick<State, 'apiTokens' | 'users' | 'roles'>>
type KeyToken = Pick<Holders['apiTokens'][number], 'type'>

/** The API tokens that work in a world, with their current permissions. */
export function describeKeys({ apiTokens, users, roles }: Holders, now: Date): KeyDescription[] {
  const secrets = new Set(apiTokens.map(({ secret }) => secret))
  const userBy = new Map(users.map((user) => [user.id, user]))
  const roleBy = new Map(roles.map((role) => [role.id, role]))
  const has = (secret: string) => secrets.has(secret)
  const known = quickStartKeys(has).filter(({ secret }) => !has(secret))
  return [...apiTokens, ...known].map((token) => {
    const user = userBy.get(token.userId ?? NaN)
    const role = roleBy.get(user?.rootRole ?? NaN)
    return {
      authorization: token.secret,
      type: token.type,
      holder: user?.email ?? token.tokenName,
      allows:
        token.expiresAt !== null && isPast(token.expiresAt, now)
          ? 'nothing, because it has expired'
          : mayDo(token, role),
    }
  })
}

function mayDo({ type }: KeyToken, role: Holders['roles'][number] | undefined): string {
  if (type === 'admin') return 'everything except user-specific operations'
  if (type !== 'user') return 'the operations of SDKs only'
  return role === undefined ? 'nothing, because its user has no role' : `${role.name}: ${role.description}`
}
