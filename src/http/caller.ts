import type { Failure } from '../contract/errors.js'
import type { ApiTokenRecord } from '../resources/api-tokens/schema.js'
import type { Actor } from '../resources/common.js'
import { systemUser } from '../resources/events/rules.js'
import { roleAllows } from '../resources/roles/rules.js'
import { actorOf } from '../resources/users/rules.js'
import type { Caller, Tables } from '../resources/world.js'
import type { Frozen } from '../support/freeze.js'
import { fail, ok, type Result } from '../support/result.js'

type Token = Frozen<ApiTokenRecord>

/** The user id that stands for admin API tokens. */
const ADMIN_TOKEN_USER = -42

/** Who is nobody in particular: on paths that need no key. */
export const anonymous: Caller = {
  id: systemUser.createdByUserId,
  username: systemUser.createdBy,
  actor: { id: systemUser.createdByUserId, name: systemUser.createdBy, imageUrl: '' },
  may: () => false,
}

/** The key in an `Authorization` header: as it is, or after `Bearer `. */
export function keyOf(header: string | null): string {
  return (header ?? '').replace(/^bearer\s+/i, '').trim()
}

/** The token that a key is, if it is known and has not expired. */
export function findToken(tables: Tables, key: string, now: Date): Token | undefined {
  const token = tables.apiTokens.get(key)
  return token !== undefined && (token.expiresAt === null || Date.parse(token.expiresAt) > now.getTime())
    ? token
    : undefined
}

export function isForSdks({ type }: Token): boolean {
  return type === 'client' || type === 'frontend'
}

/** Who sends a request to an admin path. */
export function identify(tables: Tables, header: string | null, now: Date): Result<Caller, Failure> {
  const key = keyOf(header)
  if (key === '') {
    return fail({
      kind: 'authenticationRequired',
      message: 'This path needs a key: send it in the Authorization header.',
    })
  }
  const token = findToken(tables, key, now)
  const caller = token === undefined ? undefined : callerOf(token, tables)
  if (token !== undefined && isForSdks(token)) return fail(wrongTokenKind(token))
  if (caller === undefined) {
    return fail({
      kind: 'unknownCredentials',
      message: 'The key in the Authorization header is unknown or has expired.',
    })
  }
  return ok(caller)
}

export function wrongTokenKind({ type }: Token): Failure {
  return { kind: 'wrongTokenKind', message: `A ${type} token is not a key to this path; an admin or a user's is.` }
}

function callerOf(token: Token, tables: Tables): Caller | undefined {
  if (token.type === 'admin') {
    return {
      id: ADMIN_TOKEN_USER,
      username: token.tokenName,
      actor: { id: ADMIN_TOKEN_USER, name: token.tokenName, imageUrl: '' },
      may: () => true,
    }
  }
  const user = token.userId === null ? undefined : tables.users.get(token.userId)
  if (user === undefined) return undefined
  const role = tables.roles.get(user.rootRole)
  return {
    id: user.id,
    username: user.email ?? user.username ?? String(user.id),
    get actor(): Actor {
      return actorOf(user)
    },
    may: (permission, environment) => role !== undefined && roleAllows(role, permission, environment),
  }
}
