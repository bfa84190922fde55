import { isPast } from '../../../support/calendar.js'
import { none } from '../../../support/freeze.js'
import { type Failure, found, type Outcome } from '../../contract/errors.js'
import type { Access } from '../../contract/operation.js'
import type { Profile } from '../../contract/profile.js'
import { apiTokenUser, SYSTEM_USER } from '../instance/events.js'
import type { Caller, Tables } from '../shared/context.js'
import type { StoredApiToken } from './api-tokens.js'
import { userMay } from './roles.model.js'
import { actorOf, avatarOf, displayNameOf, loginNameOf, type StoredUser } from './users.js'

type TokenType = Pick<StoredApiToken, 'type'>

export type SdkAccess = Extract<Access, 'client' | 'frontend'>

/** The prefix of personal tokens. */
const PERSONAL = 'user:'

const sdkTokenTypes: Readonly<Record<SdkAccess, readonly string[]>> = {
  client: ['client', 'backend'],
  frontend: ['frontend'],
}

/** The API token in an `Authorization` header, without `Bearer `. Of several headers, joined by a comma, the first counts. */
export function keyIn(header: string | null | undefined): string {
  const [first = ''] = (header ?? '').split(', ', 1)
  return first.replace(/^bearer\s+/i, '').trim()
}

/** The environment that an API token names, if it exists. */
export function environmentIn(key: string, { environments }: Pick<Tables, 'environments'>): string | undefined {
  const [, named = ''] = /^[^:]*:([^:.]+)[.:]/.exec(key) ?? []
  return environments.has(named) ? named : undefined
}

/** Whether a token is for SDKs, so that other paths reject it. */
function isForSdks({ type }: TokenType): boolean {
  return type !== 'admin' && type !== 'user'
}

/** Whether a token is valid on this kind of SDK path. */
export function opens(access: SdkAccess, { type }: TokenType): boolean {
  return sdkTokenTypes[access].includes(type)
}

/** Whether users can have any permissions in this project and environment. */
function isInReach(
  { projects, environments }: Profile['users'],
  { project, environment }: { project?: string | undefined; environment?: string | undefined },
): boolean {
  return (
    (project === undefined || projects === undefined || projects.includes(project)) &&
    (environment === undefined || environments === undefined || environments.includes(environment))
  )
}

/** A 401 for a missing or unknown API token. */
function unknownKey(key: string): Failure {
  return key === ''
    ? { kind: 'authenticationRequired', message: 'This path needs an API token: send it in the Authorization header.' }
    : { kind: 'unknownCredentials', message: 'The API token in the Authorization header is unknown or has expired.' }
}

/** The rejection of a token on a path that needs another type. */
function wrongTokenType({ type }: TokenType, wanted: string): { failure: Failure } {
  const message = `A token of the type "${type}" does not work on this path; it needs ${wanted}.`
  return { failure: { kind: 'wrongTokenKind', message } }
}

interface Credentials {
  headers: Headers
  tables: Tables
  now: Date
  profile: Profile
  /** The login of the request, if it is valid in this world. */
  login?: { secret: string; user: StoredUser } | undefined
}

/** The caller on public paths. */
export const anonymous: Caller = {
  id: SYSTEM_USER,
  username: 'system',
  actor: { id: SYSTEM_USER, name: 'system', imageUrl: '' },
  may: () => false,
}

/** The caller on admin paths if authentication is off. */
const anyone: Caller = {
  id: -1,
  username: 'unknown',
  actor: { id: -1, name: 'unknown', imageUrl: '' },
  may: () => true,
}

export function identifyFor(access: Access | readonly SdkAccess[], credentials: Credentials): Outcome<Caller> {
  if (typeof access !== 'string') return identifyBelowPrefix(credentials, access)
  if (access === 'admin') return identify(credentials)
  return access === 'public' ? identifyPublic(credentials) : identifySdk(credentials, access)
}

/** The name of the user or of the API token. Null for an unknown caller. */
export function callerName({ id, username, user, sdk }: Caller): string | null {
  if (user !== undefined) return displayNameOf(user)
  return id === SYSTEM_USER && sdk === undefined ? null : username
}

/** The known token of a request, on any path. Undefined for an unknown token. */
export function sentToken(tables: TokensNow['tables'], headers: Headers): StoredApiToken | undefined {
  return tokenWith(tables, keyIn(headers.get('authorization')))
}

/** The name of a token's user, or its own name. */
export function holderOf({ userId, tokenName }: StoredApiToken, { users }: Tables): string {
  const user = users.get(userId ?? SYSTEM_USER)
  return user === undefined ? tokenName : displayNameOf(user)
}

/** Identifies the caller on an admin path. An admin token takes precedence over a login, a login over a personal token. */
function identify(credentials: Credentials): Outcome<Caller> {
  const { headers, tables, profile } = credentials
  const key = keyIn(headers.get('authorization'))
  const token = findToken(credentials, key)
  const isWrong = token !== undefined && isForSdks(token)
  if (isWrong && (profile.open || !profile.anyKey)) return wrongTokenType(token, "an admin's or a user's API token")
  if (token?.type === 'admin') return { data: adminCaller(token, profile) }
  const { login } = credentials
  const ofToken = token?.userId ?? undefined
  const user = login?.user ?? (ofToken === undefined ? undefined : tables.users.get(ofToken))
  if (user !== undefined) return { data: userCaller(user, tables, profile, login?.secret) }
  return profile.open || (profile.anyKey && key !== '') ? { data: anyone } : { failure: unknownKey(key) }
}

/** Identifies the caller on a public path: anonymous, possibly with a login. */
function identifyPublic(credentials: Credentials): Outcome<Caller> {
  // Unleash removes the word Bearer only below /api. An SDK with a wrong base URL meets it.
  const { headers, profile, login } = credentials
  const token = findToken(credentials, headers.get('authorization') ?? '')
  if (token !== undefined && isForSdks(token) && (profile.open || !profile.anyKey)) {
    return wrongTokenType(token, "an admin's or a user's API token")
  }
  const nobody = { ...anonymous, username: profile.systemUser }
  return { data: login === undefined ? nobody : { ...nobody, login: login.secret } }
}

function identifySdk(credentials: Credentials, access: SdkAccess): Outcome<Caller> {
  const { headers, profile, tables } = credentials
  const key = keyIn(headers.get('authorization'))
  const isFrontend = access === 'frontend'
  const known = findToken(credentials, key)
  if (key === '' ? profile.open : profile.anyKey && (known === undefined || !opens(access, known))) {
    const environment = environmentIn(key, tables) ?? 'development'
    return { data: { ...anonymous, username: anyone.username, sdk: { environment, projects: ['*'], isFrontend } } }
  }
  if (key.startsWith(PERSONAL) || key.startsWith('*:*')) {
    const type = key.startsWith(PERSONAL) ? 'user' : 'admin'
    return wrongTokenType({ type }, `a ${access} token`)
  }
  if (known === undefined) return noSdkToken(`a ${access} token`)
  if (!opens(access, known)) return wrongTokenType(known, `a ${access} token`)
  const { tokenName: username, environment, projects } = known
  return { data: { ...anonymous, username, sdk: { environment, projects, isFrontend } } }
}

/**
 * Identifies the caller on a path that contains an SDK path. A personal token is accepted here; any other token must be
 * known, and an SDK's token must be of the right type. SDKs with a wrong base URL meet it.
 */
function identifyBelowPrefix(credentials: Credentials, accesses: readonly SdkAccess[]): Outcome<Caller> {
  const { headers, profile } = credentials
  const key = headers.get('authorization') ?? ''
  const token = findToken(credentials, key)
  if (profile.anyKey) return { data: { ...anonymous, username: profile.systemUser } }
  const wanted = accesses.map((access) => `a ${access} token`).join(' or ')
  if (token === undefined && !key.startsWith(PERSONAL)) return noSdkToken(wanted)
  if (token !== undefined && isForSdks(token) && !accesses.some((access) => opens(access, token))) {
    return wrongTokenType(token, wanted)
  }
  return { data: { ...anonymous, username: profile.systemUser } }
}

function noSdkToken(wanted: string): { failure: Failure } {
  const message = `This path needs ${wanted}: send a valid one in the Authorization header.`
  return { failure: { kind: 'sdkTokenRequired', message } }
}

/** The error for an API token on an operation that needs a user. */
export const NO_USER = 'This operation needs a user: sign in, or send a personal access token.'

/** The calling user, or a 404 for an API token. */
export function callingUser({ user }: Caller): StoredUser {
  return found(user, () => NO_USER)
}

/** A world's tokens at a time. */
interface TokensNow {
  tables: Pick<Tables, 'apiTokens'>
  now: Date
}

/** The token with this secret or alias, unless it has expired. */
export function findToken({ tables, now }: TokensNow, key: string): StoredApiToken | undefined {
  const token = tokenWith(tables, key)
  return token === undefined || hasExpired(token, now) ? undefined : token
}

function hasExpired({ expiresAt }: StoredApiToken, now: Date): boolean {
  return expiresAt !== null && isPast(expiresAt, now)
}

/** An admin's API token in the sample data. */
const SAMPLE_KEY = '*:*.mock-admin'

/**
 * The API tokens of Unleash's own quick start, which apps and examples everywhere use. They work without a record. They
 * belong to the sample data, so a newly set up instance has none.
 */
export function quickStartKeys(has: (secret: string) => boolean): readonly StoredApiToken[] {
  return has(SAMPLE_KEY) ? QUICK_START : none
}

const QUICK_START = [
  quickStartKey('admin', '*', '*', 'unleash-insecure-admin-api-token'),
  quickStartKey('admin', '*', '*', 'unleash-insecure-api-token'),
  quickStartKey('backend', 'default', 'development', 'unleash-insecure-api-token'),
  quickStartKey('frontend', 'default', 'development', 'unleash-insecure-frontend-api-token'),
]

/** It has the name that Unleash gives to the tokens of its environment variables. */
function quickStartKey(type: StoredApiToken['type'], project: string, environment: string, rest: string) {
  const secret = `${project}:${environment}.${rest}`
  const createdAt = '1970-01-01T00:00:00.000Z'
  return {
    secret,
    type,
    tokenName: 'admin',
    environment,
    projects: [project],
    userId: null,
    expiresAt: null,
    createdAt,
  }
}

function tokenWith({ apiTokens }: TokensNow['tables'], key: string): StoredApiToken | undefined {
  if (key === '') return undefined
  const stored = apiTokens.get(key) ?? apiTokens.by('alias', key)[0]
  return stored ?? quickStartKeys((secret) => apiTokens.has(secret)).find(({ secret }) => secret === key)
}

/** The API tokens that a path accepts now, without those that a request created: their secrets are shown only once. */
export function acceptedTokens(access: Access | readonly SdkAccess[], { tables, now }: TokensNow): StoredApiToken[] {
  if (access === 'public') return []
  const { apiTokens } = tables
  const fits = (token: StoredApiToken) =>
    access === 'admin' ? !isForSdks(token) : [access].flat().some((one) => opens(one, token))
  const known = [...apiTokens.list(), ...quickStartKeys((secret) => apiTokens.has(secret))]
  return known.filter((token) => fits(token) && token.generated !== true && !hasExpired(token, now))
}

function adminCaller(token: StoredApiToken, profile: Profile): Caller {
  const { id } = apiTokenUser
  const { tokenName } = token
  const { adminTokenActor: name = tokenName } = profile
  return { id, username: tokenName, actor: { id, name, imageUrl: avatarOf(name) }, may: () => true, token }
}

function userCaller(user: StoredUser, tables: Tables, profile: Profile, login: string | undefined): Caller {
  return {
    id: user.id,
    username: loginNameOf(user),
    actor: actorOf(user),
    may: (permission, scope = {}) => isInReach(profile.users, scope) && userMay(user, tables, permission, scope),
    user,
    ...(login === undefined ? {} : { login }),
  }
}
