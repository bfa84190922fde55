import type { Failure } from '../../../contract/errors.js'
import type { Access } from '../../../contract/operation.js'
import type { Profile } from '../../../contract/profile.js'
import { cookie } from '../../../support/cookie.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, ok, type Result } from '../../../support/result.js'
import { apiTokenUser, SYSTEM_USER } from '../../instance/events/rules.js'
import type { Caller, PermissionScope, Tables } from '../../shared/context.js'
import type { Actor } from '../../shared/schema.js'
import type { ApiTokenRecord } from '../api-tokens/schema.js'
import { findLogin } from '../login/lookup.js'
import { LOGIN_COOKIE, type LoginRecord } from '../login/schema.js'
import { userMay } from '../roles/lookup.js'
import { actorOf, avatarOf, loginNameOf } from '../users/rules.js'
import type { UserRecord } from '../users/schema.js'

type Token = Frozen<ApiTokenRecord>

/** By what a request can tell who sends it, and the world and the profile that judge that. */
export interface Credentials {
  headers: Headers
  tables: Tables
  now: Date
  profile: Profile
}

type SdkAccess = 'client' | 'frontend'

/** The types of tokens that open the paths for SDKs. */
const sdkTokenTypes: Readonly<Record<SdkAccess, readonly string[]>> = {
  client: ['client', 'backend'],
  frontend: ['frontend'],
}

/** Who is nobody in particular: on paths that need no key. */
export const anonymous: Caller = {
  id: SYSTEM_USER,
  username: 'system',
  actor: { id: SYSTEM_USER, name: 'system', imageUrl: '' },
  may: () => false,
}

/** Who sends a request to a path that needs some kind of key. */
export function identifyFor(access: Access, credentials: Credentials): Result<Caller, Failure> {
  if (access === 'admin') return identify(credentials)
  return access === 'public' ? identifyPublic(credentials) : identifySdk(credentials, access)
}

/** Who sends a request to an admin path: an admin token goes before a login, and a login before a personal token. */
export function identify(credentials: Credentials): Result<Caller, Failure> {
  const { headers, tables, profile } = credentials
  const key = keyOf(headers.get('authorization'))
  const token = findToken(credentials, key)
  if (token !== undefined && isForSdks(token)) return fail(wrongTokenKind(token))
  if (token?.type === 'admin') return ok(adminToken(token, profile))
  const login = loginOf(credentials)
  const userId = login?.userId ?? token?.userId ?? null
  const user = userId === null ? undefined : tables.users.get(userId)
  if (user !== undefined) return ok(userCaller(user, tables, profile, login))
  if (key !== '') {
    return fail({
      kind: 'unknownCredentials',
      message: 'The key in the Authorization header is unknown or has expired.',
    })
  }
  return fail({
    kind: 'authenticationRequired',
    message: 'This path needs a key: send it in the Authorization header.',
  })
}

/** Who sends a request to a path that needs no key: nobody in particular, whose login may be known. */
function identifyPublic(credentials: Credentials): Result<Caller, Failure> {
  // Only below /api the service takes the word Bearer off.
  const token = findToken(credentials, credentials.headers.get('authorization') ?? '')
  if (token !== undefined && isForSdks(token)) return fail(wrongTokenKind(token))
  const login = loginOf(credentials)
  const nobody = { ...anonymous, username: credentials.profile.systemUser }
  return ok(login === undefined ? nobody : { ...nobody, login: login.secret })
}

/** Which SDK sends a request to a path for SDKs. */
function identifySdk(credentials: Credentials, wanted: SdkAccess): Result<Caller, Failure> {
  const token = findToken(credentials, keyOf(credentials.headers.get('authorization')))
  if (token === undefined) {
    return fail({
      kind: 'sdkTokenRequired',
      message: `This path needs a ${wanted} token: send a valid one in the Authorization header.`,
    })
  }
  if (!sdkTokenTypes[wanted].includes(token.type)) return fail(wrongTokenKind(token, `a ${wanted} token`))
  const { tokenName: username, environment, projects } = token
  return ok({ ...anonymous, username, sdk: { environment, projects } })
}

/** The key in an `Authorization` header: as it is, or after `Bearer `. */
function keyOf(header: string | null): string {
  return (header ?? '').replace(/^bearer\s+/i, '').trim()
}

/** The token that a key is, if it is known and has not expired. */
function findToken({ tables, now }: Credentials, key: string): Token | undefined {
  const token = key === '' ? undefined : tables.apiTokens.get(key)
  return token !== undefined && (token.expiresAt === null || Date.parse(token.expiresAt) > now.getTime())
    ? token
    : undefined
}

function loginOf({ headers, tables, now }: Credentials): Frozen<LoginRecord> | undefined {
  const secret = cookie(headers, LOGIN_COOKIE)
  return secret === undefined ? undefined : findLogin(tables, secret, now)
}

function isForSdks({ type }: Token): boolean {
  return type !== 'admin' && type !== 'user'
}

function wrongTokenKind({ type }: Token, wanted = "an admin's or a user's key"): Failure {
  return { kind: 'wrongTokenKind', message: `A token of the type "${type}" is no key to this path; ${wanted} is.` }
}

function adminToken({ tokenName }: Token, { adminTokenActor: name }: Profile): Caller {
  const { id } = apiTokenUser
  return {
    id,
    username: tokenName,
    get actor(): Actor {
      return name === undefined ? { id, name: tokenName, imageUrl: '' } : { id, name, imageUrl: avatarOf(name) }
    },
    may: () => true,
  }
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
    get actor(): Actor {
      return actorOf(user)
    },
    may: (permission, where = {}) => isWithin(profile.users, where) && userMay(user, tables, permission, where),
    user,
    ...(login === undefined ? {} : { login: login.secret }),
  }
}

/** Whether users may do anything in a place. */
function isWithin({ projects, environments }: Profile['users'], { project, environment }: PermissionScope): boolean {
  return (
    (project === undefined || projects === undefined || projects.includes(project)) &&
    (environment === undefined || environments === undefined || environments.includes(environment))
  )
}
