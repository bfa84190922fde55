import { type Detail, type Failure, noAccess, Rejection } from '../../service/contract/errors.js'
import { stopsInMaintenance } from '../../service/contract/operation.js'
import type { Permission } from '../../service/contract/permissions.js'
import type { CheckName, Profile } from '../../service/contract/profile.js'
import { holdsSecrets } from '../../service/contract/secrets.js'
import { maintenanceFailure } from '../../service/resources/instance/maintenance.js'
import { inMaintenance } from '../../service/resources/instance/maintenance.operations.js'
import { anonymous, identifyFor } from '../../service/resources/people/callers.js'
import { LOGIN_COOKIE } from '../../service/resources/people/login.js'
import { loginNameOf } from '../../service/resources/people/users.js'
import type { Caller, PermissionScope } from '../../service/resources/shared/context.js'
import { cookie } from '../../support/cookie.js'
import { isObject, show } from '../../support/json.js'
import { percentDecoded } from '../../support/text.js'
import type { World } from '../sessions/world.js'
import { isKnownCoding, mediaType, parseText, unreadable } from './body.js'
import type { Accepted, Asked, Check, CheckedRow, LoginJar, Outcome } from './call.js'
import { schema } from './schema-check.js'

/** Runs the checks in the profile's order, up to the first that rejects the request. The caller may be known even then. */
export function check(asked: Asked): Outcome<Accepted> & { caller: Caller } {
  let known: Accepted = { caller: anonymous, params: {}, query: undefined, body: undefined }
  try {
    for (const name of asked.profile.checks) {
      const { data, failure } = checks[name](asked, known) ?? PASSED
      if (failure !== undefined) return { failure, caller: known.caller }
      if (data !== undefined) known = { ...known, ...data }
    }
  } catch (thrown) {
    if (thrown instanceof Rejection) return { failure: thrown.failure, caller: known.caller }
    throw thrown
  }
  return { data: known, caller: known.caller }
}

const PASSED: Partial<Outcome<Partial<Accepted>>> = {}

const JSON_MEDIA_TYPE = 'application/json'

/** Whether the body is sent as JSON, where the operation takes a body. */
const contentType: Check = ({ headers, row, profile }) => {
  const { anyTypeFor, typeEvenFor } = profile.body
  const { id = '', body } = row
  const matters = body === undefined ? typeEvenFor.includes(id) : !anyTypeFor.includes(id)
  if (!matters) return undefined
  const type = headers.get('content-type') ?? ''
  if (mediaType(type) === JSON_MEDIA_TYPE) return undefined
  const what = type === '' ? 'The request has no content type' : `The content type "${type}" is not supported`
  return { failure: { kind: 'contentType', message: `${what}; this operation takes "${JSON_MEDIA_TYPE}".` } }
}

/** Whether the body's charset and content coding are supported. */
const encoding: Check = ({ received: { format, charset, coding }, profile }) => {
  if (format === undefined) return undefined
  if (!profile.body.charsets.test(charset)) return unsupported('charset', charset, 'utf-8')
  return coding === undefined || isKnownCoding(coding, profile)
    ? undefined
    : unsupported('content encoding', coding, profile.body.encodings.join(', '))
}

/** Whether the whole body could be read. */
const size: Check = ({ received, profile, row }) => {
  if (received.failed === 'tooLarge') {
    const limit = row.bodyLimit ?? profile.body.limit
    return { failure: { kind: 'payloadTooLarge', message: `The body is larger than ${limit} bytes.` } }
  }
  if (received.failed !== 'broken') return undefined
  const { coding } = received
  const problem = coding === undefined ? 'could not be read to its end' : `is not valid ${coding}`
  return { failure: unreadable(`The body ${problem}.`) }
}

/** Parses the body. */
const syntax: Check = ({ received, profile, row }) => {
  const { format, bytes, text, malformed } = received
  const { emptyIsObject, refusesBrokenText } = profile.body
  if (format === undefined || bytes === undefined || (bytes.length === 0 && emptyIsObject)) {
    return emptyIsObject ? { data: { body: {} } } : undefined
  }
  if (malformed !== undefined && (refusesBrokenText || text === undefined)) return { failure: malformed }
  return { data: { body: parseText(text ?? '', format, row.body !== undefined && holdsSecrets(row.body)) } }
}

function unsupported(what: string, sent: string, known: string): { failure: Failure } {
  const message = `The ${what} "${sent}" is not supported. An application/json body may use: ${known}.`
  return { failure: { kind: 'unsupportedEncoding', message } }
}

/** The checks by name. Their order is the profile's. */
const checks: Readonly<Record<CheckName, Check>> = {
  authentication({ headers, row, world, profile }) {
    return { data: { caller: identifyIn(world, headers, row.access, profile) } }
  },

  maintenance({ request, row: { access, worksInMaintenance }, world }) {
    const isStopped = stopsInMaintenance({ method: request.method, access, worksInMaintenance })
    return isStopped && inMaintenance(world.data.tables) ? { failure: maintenanceFailure } : undefined
  },

  permission(asked, { caller, body }) {
    const { permission } = asked.row
    if (permission === undefined) return undefined
    const scope = scopeOf(asked, body)
    const may = (one: Permission) => caller.may(one, scope)
    const isAllowed = typeof permission === 'string' ? may(permission) : permission.some(may)
    return isAllowed ? undefined : { failure: noAccess(permission) }
  },

  contentType,
  encoding,
  size,

  parameters({ rawParams }) {
    const params: Record<string, string> = {}
    const details: Detail[] = []
    for (const name in rawParams) {
      const raw = rawParams[name] ?? ''
      const value = percentDecoded(raw)
      if (value !== undefined) params[name] = value
      else details.push({ message: `"${raw}" is not valid percent-encoding.`, path: `/params/${name}` })
    }
    const [first] = details
    if (first === undefined) return { data: { params } }
    return { failure: { kind: 'badData', message: `The path can't be read: ${first.message}`, details } }
  },

  syntax,
  schema,
}

/** Where a request acts: in the project of its path or of its feature, and in the environment of its path or body. */
function scopeOf({ rawParams, world, profile }: Asked, body: unknown): PermissionScope {
  const { projectId, featureName, environment } = rawParams
  const sent = profile.permissions.environmentFromBody && isObject(body) ? body.environment : undefined
  const feature =
    featureName === undefined ? undefined : world.data.tables.features.get(percentDecoded(featureName) ?? '')
  return {
    project: projectId === undefined ? feature?.project : percentDecoded(projectId),
    environment:
      (environment === undefined ? undefined : percentDecoded(environment)) ?? (sent ? nameOf(sent) : undefined),
  }
}

/** The environment that a body names. For a value that isn't text, something that can't be the name of one. */
function nameOf(sent: unknown): string {
  return typeof sent === 'string' ? sent : show(sent)
}

/** The headers of a request, with the cookie of a jar unless it has one of its own. */
export function headersWith(given: Headers, { secret }: Partial<LoginJar> = {}): Headers {
  if (secret === undefined || cookie(given, LOGIN_COOKIE) !== undefined) return given
  const headers = new Headers(given)
  const others = headers.get('cookie')
  headers.set('cookie', `${others === null ? '' : `${others}; `}${LOGIN_COOKIE}=${secret}`)
  return headers
}

/** Puts the login that an answer sets or ends into a jar. */
export function keepIn(jar: LoginJar, setCookie: string | undefined): void {
  const [name, value] = (setCookie?.split(';', 1)[0] ?? '').split('=')
  if (name === LOGIN_COOKIE) jar.secret = value || undefined
}

/** The sender of a request to a world. Throws a `Rejection`. */
export function identifyIn(world: World, headers: Headers, access: CheckedRow['access'], profile: Profile): Caller {
  const secret = cookie(headers, LOGIN_COOKIE)
  const user = secret === undefined ? undefined : world.logins.userOf(secret, world.data)
  const login = secret === undefined || user === undefined ? undefined : { secret, user }
  return identifyFor(access, { headers, tables: world.data.tables, now: world.clock.now(), profile, login })
}

/** Why the login that a request was sent with doesn't count, if the request was rejected for want of one. */
export function loginHint({ headers, world }: Asked, { kind }: Failure): string | undefined {
  if (kind !== 'authenticationRequired' && kind !== 'unknownCredentials') return undefined
  const secret = cookie(headers, LOGIN_COOKIE)
  if (secret === undefined || secret === '') return undefined
  const found = world.logins.get(secret)
  if (found === undefined || found.scenario === world.name) {
    const why = found === undefined ? world.logins.whyEnded(secret) : 'its user was removed'
    return why === undefined
      ? `The login in the cookie ${LOGIN_COOKIE} is not known here: it belongs to another session, or to a mock that has started again since. Sign in again.`
      : `The login in the cookie ${LOGIN_COOKIE} has ended: ${why}. Sign in again.`
  }
  const who = loginNameOf(found.user)
  return `The cookie ${LOGIN_COOKIE} is a login as "${who}" under the scenario "${found.scenario}". The scenario "${world.name}" has no such user: sign in as one of its own.`
}
