import { type Failure, notFound } from '../../../contract/errors.js'
import type { Access } from '../../../contract/operation.js'
import type { Profile } from '../../../contract/profile.js'
import { cookie } from '../../../support/cookie.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, ok, type Result } from '../../../support/result.js'
import { apiTokenUser, SYSTEM_USER } from '../../instance/events/rules.js'
import type { Caller, Tables } from '../../shared/context.js'
import type { ApiTokenRecord } from '../api-tokens/schema.js'
import { findLogin } from '../login/lookup.js'
import { LOGIN_COOKIE, type LoginRecord } from '../login/schema.js'
import { userMay } from '../roles/lookup.js'
import { actorOf } from '../users/present.js'
import { avatarOf, displayNameOf, loginNameOf } from '../users/rules.js'
import type { UserRecord } from '../users/schema.js'
import { unknownKey, wrongTokenType } from './checks.js'
import { hasExpired, isForSdks, isInReach, keyIn, opens, PERSONAL, type SdkAccess } from './rules.js'

type Token = Frozen<ApiTokenRecord>

/** What identifies the sender of a request. */
interface Credentials {
  headers: Headers
  tables: Tables
  now: Date
  profile: Profile
}

/** The caller on paths that need no key. */
export const anonymous: Caller = {
  id: SYSTEM_USER,
  username: 'system',
  actor: { id: SYSTEM_USER, name: 'system', imageUrl: '' },
  may: () => false,
}

/** Identifies the caller on a path with this kind of access. */
export function identifyFor(access: Access | readonly SdkAccess[], credentials: Credentials): Result<Caller, Failure> {
  if (typeof access !== 'string') return identifyBelowPrefix(credentials, access)
  if (access === 'admin') return identify(credentials)
  return access === 'public' ? identifyPublic(credentials) : identifySdk(credentials, access)
}

/** The name of the user or of the key. Null if nobody was identified. */
export function nameOf({ id, username, user, sdk }: Caller): string | null {
  if (user !== undefined) return displayNameOf(user)
  return id === SYSTEM_USER && sdk === undefined ? null : username
}

/** Identifies the caller on an admin path. An admin token takes precedence over a login, a login over a personal token. */
function identify(credentials: Credentials): Result<Caller, Failure> {
  const { headers, tables, now, profile } = credentials
  const key = keyIn(headers.get('authorization'))
  const token = findToken(tables, key, now)
  if (token !== undefined && isForSdks(token)) return fail(wrongTokenType(token, "an admin's or a user's key"))
  if (token?.type === 'admin') return ok(adminCaller(token, profile))
  const login = findCallingLogin(credentials)
  const userId = login?.userId ?? token?.userId ?? null
  const user = userId === null ? undefined : tables.users.get(userId)
  return user === undefined ? fail(unknownKey(key)) : ok(userCaller(user, tables, profile, login))
}

/** Identifies the caller on a public path: anonymous, but possibly with a login. */
function identifyPublic(credentials: Credentials): Result<Caller, Failure> {
  // The service removes the word Bearer only below /api.
  const { headers, tables, now, profile } = credentials
  const token = findToken(tables, headers.get('authorization') ?? '', now)
  if (token !== undefined && isForSdks(token)) return fail(wrongTokenType(token, "an admin's or a user's key"))
  const login = findCallingLogin(credentials)
  const nobody = { ...anonymous, username: profile.systemUser }
  return ok(login === undefined ? nobody : { ...nobody, login: login.secret })
}

/** Identifies the calling SDK on a path for SDKs. */
function identifySdk(credentials: Credentials, access: SdkAccess): Result<Caller, Failure> {
  const { headers, tables, now, profile } = credentials
  const key = keyIn(headers.get('authorization'))
  if (profile.sdkPaths.keysOfOthers.some((start) => key.startsWith(start))) {
    const type = key.startsWith(PERSONAL) ? 'user' : 'admin'
    return fail(wrongTokenType({ type }, `a ${access} token`))
  }
  const token = findToken(tables, key, now)
  if (token === undefined) return fail(noSdkToken(`a ${access} token`))
  if (!opens(access, token)) return fail(wrongTokenType(token, `a ${access} token`))
  const { tokenName: username, environment, projects } = token
  return ok({ ...anonymous, username, sdk: { environment, projects, isFrontend: access === 'frontend' } })
}

/**
 * Identifies the caller on a path that only contains that of an SDK. A personal key is let through here; any other key
 * has to be known, and one of an SDK has to be of the right kind. The word Bearer is removed only below /api.
 */
function identifyBelowPrefix(credentials: Credentials, accesses: readonly SdkAccess[]): Result<Caller, Failure> {
  const { headers, tables, now, profile } = credentials
  const key = headers.get('authorization') ?? ''
  const token = findToken(tables, key, now)
  const wanted = accesses.map((access) => `a ${access} token`).join(' or ')
  if (token === undefined && !key.startsWith(PERSONAL)) return fail(noSdkToken(wanted))
  if (token !== undefined && isForSdks(token) && !accesses.some((access) => opens(access, token))) {
    return fail(wrongTokenType(token, wanted))
  }
  return ok({ ...anonymous, username: profile.systemUser })
}

function noSdkToken(wanted: string): Failure {
  return {
    kind: 'sdkTokenRequired',
    message: `This path needs ${wanted}: send a valid one in the Authorization header.`,
  }
}

/** The calling user, or a 404 for an API token. */
export function callingUser({ user }: Caller): Result<Frozen<UserRecord>, Failure> {
  return user === undefined
    ? fail(notFound('This belongs to a user, and the caller is not one: sign in, or send a personal access token.'))
    : ok(user)
}

/** The token with this secret or alias, unless it has expired. */
export function findToken(tables: Tables, key: string, now: Date): Token | undefined {
  const token = key === '' ? undefined : (tables.apiTokens.get(key) ?? tables.apiTokens.by('alias', key)[0])
  return token === undefined || hasExpired(token, now) ? undefined : token
}

function findCallingLogin({ headers, tables, now }: Credentials): Frozen<LoginRecord> | undefined {
  const secret = cookie(headers, LOGIN_COOKIE)
  return secret === undefined ? undefined : findLogin(tables, secret, now)
}

function adminCaller({ tokenName }: Token, { adminTokenActor: name = tokenName }: Profile): Caller {
  const { id } = apiTokenUser
  return { id, username: tokenName, actor: { id, name, imageUrl: avatarOf(name) }, may: () => true }
}

function userCaller(
  user: Frozen<UserRecord>,
  tables: Tables,
  profile: Profile,
  login: Frozen<LoginRecord> | undefined,
): Caller {
  return {
    id: user.id,
    username: loginNameOf(user),
    actor: actorOf(user),
    may: (permission, scope = {}) => isInReach(profile.users, scope) && userMay(user, tables, permission, scope),
    user,
    ...(login === undefined ? {} : { login: login.secret }),
  }
}
