import type { ZodType } from 'zod'
import * as z from 'zod'
import { badData, type Detail, type Failure, noAccess, type Outcome } from '../../service/contract/errors.js'
import { issuesOf, UNTIL_FIRST } from '../../service/contract/first-faults.js'
import { BODY_LIMIT, stopsInMaintenance } from '../../service/contract/operation.js'
import type { Permission } from '../../service/contract/permissions.js'
import type { CheckName } from '../../service/contract/profile.js'
import { maintenanceFailure } from '../../service/resources/instance/maintenance.js'
import { inMaintenance } from '../../service/resources/instance/maintenance.operations.js'
import { anonymous, identifyFor } from '../../service/resources/people/callers.js'
import { LOGIN_COOKIE } from '../../service/resources/people/login.js'
import { loginNameOf } from '../../service/resources/people/users.js'
import type { Caller, PermissionScope } from '../../service/resources/shared/context.js'
import { cookie } from '../../support/cookie.js'
import { isObject, PROTO, pathWhere, show } from '../../support/json.js'
import { percentDecoded } from '../../support/text.js'
import { CODINGS, isKnownCoding, mediaType, oneOrAll, parseText, unreadable, valuesByName } from './body.js'
import type { Accepted, CallInWorld, Check } from './call.js'
import { coerce } from './coerce.js'
import { failureOfPart, pointer, type RequestPart } from './issues.js'
import { operationQuery } from './resolve.js'
import { hintOnNames } from './unread.js'

/**
 * Runs the checks in the profile's order, up to the first that rejects the request. A rejected request can still have a
 * known caller.
 */
export function check(call: CallInWorld): Outcome<Accepted> & { caller: Caller } {
  let known: Accepted = { caller: anonymous, params: {}, query: undefined, body: undefined }
  for (const name of call.mock.profile.checks) {
    const { data, failure } = checks[name](call, known) ?? PASSED
    if (failure !== undefined) return { failure, caller: known.caller }
    if (data !== undefined) known = { ...known, ...data }
  }
  return { data: known, caller: known.caller }
}

const PASSED: Partial<Outcome<Partial<Accepted>>> = {}

const JSON_MEDIA_TYPE = 'application/json'

/** Whether the content type is JSON, if the operation takes a body. */
const contentType: Check = ({ headers, row, mock: { profile } }) => {
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
const encoding: Check = ({ received: { format, charset, coding }, mock: { profile } }) => {
  if (format === undefined) return undefined
  if (!profile.body.charsets.test(charset)) return unsupported('charset', charset.toUpperCase(), 'utf-8')
  return coding === undefined || isKnownCoding(coding)
    ? undefined
    : unsupported('content encoding', coding, CODINGS.join(', '))
}

/** Whether the whole body was read. */
const size: Check = ({ received, row }) => {
  if (received.failed === 'tooLarge') {
    const limit = row.bodyLimit ?? BODY_LIMIT
    return { failure: { kind: 'payloadTooLarge', message: `The body is larger than ${limit} bytes.` } }
  }
  if (received.failed !== 'broken') return undefined
  const { coding } = received
  const problem = coding === undefined ? 'could not be read completely' : `is not valid ${coding}`
  return { failure: unreadable(`The body ${problem}.`) }
}

const syntax: Check = ({ received, row, mock: { profile } }) => {
  const { format, bytes, text, malformed } = received
  const { emptyIsObject, rejectsBrokenText } = profile.body
  if (format === undefined || bytes === undefined || (bytes.length === 0 && emptyIsObject)) {
    return emptyIsObject ? { data: { body: {} } } : undefined
  }
  if (malformed !== undefined && (rejectsBrokenText || text === undefined)) return { failure: malformed }
  const { data: body, failure } = parseText(text ?? '', format, row.body)
  return failure === undefined ? { data: { body } } : { failure }
}

function unsupported(what: string, sent: string, known: string): { failure: Failure } {
  const message = `The ${what} "${sent}" is not supported. An application/json body can use: ${known}.`
  return { failure: { kind: 'unsupportedEncoding', message } }
}

/** The checks by name. The profile defines their order. */
const checks: Readonly<Record<CheckName, Check>> = {
  authentication(call) {
    const { data: caller, failure } = identifyIn(call)
    return failure === undefined ? { data: { caller } } : { failure }
  },

  maintenance({ request, row: { access, worksInMaintenance }, world }) {
    const isStopped = stopsInMaintenance({ method: request.method, access, worksInMaintenance })
    return isStopped && inMaintenance(world.data.tables) ? { failure: maintenanceFailure } : undefined
  },

  permission(call, { caller, body }) {
    const { permission } = call.row
    if (permission === undefined) return undefined
    const scope = scopeOf(call, body)
    const may = (one: Permission) => caller.may(one, scope)
    const isAllowed = typeof permission === 'string' ? may(permission) : permission.some(may)
    return isAllowed ? undefined : { failure: noAccess(permission) }
  },

  contentType,
  encoding,
  size,

  parameters({ rawParams = {} }) {
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

/** The scope of a request: the project of its path, its body or its feature, and the environment of its path or body. */
function scopeOf({ rawParams = {}, world }: CallInWorld, body: unknown): PermissionScope {
  const { projectId, featureName, environment } = rawParams
  const sent = isObject(body) ? body : {}
  const feature =
    featureName === undefined ? undefined : world.data.tables.features.get(percentDecoded(featureName) ?? '')
  const named = (param: string | undefined, inBody: unknown) =>
    (param === undefined ? undefined : percentDecoded(param)) ?? (inBody ? nameIn(inBody) : undefined)
  return {
    project: named(projectId, sent.projectId || sent.project) ?? feature?.project,
    environment: named(environment, sent.environment || sent.environmentId),
  }
}

/** The name in a body. For a value other than text, a text that nothing can have as its name. */
function nameIn(sent: unknown): string {
  return typeof sent === 'string' ? sent : show(sent)
}

/** The sender of a request. */
export function identifyIn({ world, headers, row, mock: { profile } }: CallInWorld): Outcome<Caller> {
  const secret = cookie(headers, LOGIN_COOKIE)
  const user = secret === undefined ? undefined : world.logins.userOf(secret, world.data)
  const login = secret === undefined || user === undefined ? undefined : { secret, user }
  return identifyFor(row.access, { headers, tables: world.data.tables, now: world.clock.now(), profile, login })
}

/** The reason why the login in a request is invalid, if the request was rejected for lack of a login. */
export function loginHint({ headers, world }: CallInWorld, { kind }: Failure): string | undefined {
  if (kind !== 'authenticationRequired' && kind !== 'unknownCredentials') return undefined
  const secret = cookie(headers, LOGIN_COOKIE)
  if (secret === undefined || secret === '') return undefined
  const found = world.logins.get(secret)
  if (found === undefined || found.scenario === world.name) {
    const why = found === undefined ? world.logins.whyEnded(secret) : 'its user was removed'
    return why === undefined
      ? `The login in the cookie ${LOGIN_COOKIE} is unknown: it belongs to another session, or the mock has restarted. Sign in again.`
      : `The login in the cookie ${LOGIN_COOKIE} has ended: ${why}. Sign in again.`
  }
  const who = loginNameOf(found.user)
  return `The cookie ${LOGIN_COOKIE} is a login as "${who}" under the scenario "${found.scenario}". The scenario "${world.name}" has no such user. Sign in as one of its users.`
}

/** The body of an operation that takes none, where the profile reads it. */
const anyObject = z.looseObject({})

/** The query and the body, in the required shapes. */
function schema(call: CallInWorld, { params, body, caller }: Accepted): ReturnType<Check> {
  const { row, request, world } = call
  const wrong = row.integers && wrongInteger(row.integers, params)
  if (wrong !== undefined) return { failure: wrong }
  const sent = row.query && queryOf(request)
  call.hint = hintOnNames(call, { query: sent, body, caller })
  const query = row.query && checkShape(call, row.query, { part: 'query', sent })
  if (query?.failure !== undefined) return query
  const shape =
    row.bodyFor?.(world.data.tables) ?? row.body ?? (body === undefined || row.ignoresBody ? undefined : anyObject)
  const parsed = shape && checkShape(call, shape, { part: 'body', sent: body })
  if (parsed?.failure !== undefined) return parsed
  return { data: { query: query?.data, body: parsed === undefined ? body : parsed.data } }
}

/** Whether the integer parameters of the path are integers. */
function wrongInteger(integers: readonly string[], params: Accepted['params']): Failure | undefined {
  const wrong = integers.find((name) => !Number.isInteger(Number(params[name])))
  if (wrong === undefined) return undefined
  const path = `/params/${wrong}`
  return badData(`The parameter "${path}" must be an integer; ${JSON.stringify(params[wrong])} was sent.`, path)
}

/** The parameters of a query. A repeated parameter, or one whose name ends with `[]`, is a list. */
function queryOf(request: Pick<Request, 'url'>): Record<string, string | string[]> {
  const sent = operationQuery(request.url)
  if (sent === '') return {}
  const entries = valuesByName(new URLSearchParams(sent)).map(([key, values]): [string, string | string[]] =>
    key.endsWith('[]') ? [key.slice(0, -2), values] : [key, oneOrAll(values)],
  )
  return Object.fromEntries(entries)
}

/** Parses a part of a request by its shape, or lists its errors. */
function checkShape(
  { mock: { profile }, row }: CallInWorld,
  shape: ZodType,
  { part, sent }: { part: RequestPart; sent: unknown },
): Outcome<unknown> {
  const proto = pathWhere(sent, (inner) => Object.hasOwn(inner, PROTO))
  if (proto !== undefined) {
    const path = pointer(`/${part}`, [...proto, PROTO])
    return { failure: badData(`The property "${path}" has a reserved name.`, path) }
  }
  const given = profile.schema.exactTypesFor.includes(row.id ?? '') ? sent : coerce(shape, sent)
  const parsed = z.safeParse(shape, given, UNTIL_FIRST)
  if (parsed.success) return { data: parsed.data }
  const failure = failureOfPart(issuesOf(shape, given), given, { part, shape, row, profile })
  return failure === undefined ? { data: given } : { failure }
}
