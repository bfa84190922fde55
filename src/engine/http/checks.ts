import type { ZodType } from 'zod'
import * as z from 'zod'
import type { $ZodType, $ZodTypes } from 'zod/v4/core'
import { badData, type Detail, type Failure, noAccess, Rejection } from '../../service/contract/errors.js'
import { parseUpToFaults } from '../../service/contract/first-faults.js'
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
import { none } from '../../support/freeze.js'
import { isObject, isTooDeep, PROTO, pathWhere, show, valueAt } from '../../support/json.js'
import { FAULTS_TOLD, percentDecoded } from '../../support/text.js'
import type { World } from '../sessions/world.js'
import { isKnownCoding, mediaType, oneOrAll, parseText, unreadable, valuesByName } from './body.js'
import type { Accepted, Asked, Check, CheckedRow, LoginJar, Outcome } from './call.js'
import { operationQuery } from './resolve.js'

/**
 * Runs the checks in the profile's order, up to the first that rejects the request. A rejected request can still have a
 * known caller.
 */
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

/** Whether the content type is JSON, if the operation takes a body. */
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

/** Whether the whole body was read. */
const size: Check = ({ received, profile, row }) => {
  if (received.failed === 'tooLarge') {
    const limit = row.bodyLimit ?? profile.body.limit
    return { failure: { kind: 'payloadTooLarge', message: `The body is larger than ${limit} bytes.` } }
  }
  if (received.failed !== 'broken') return undefined
  const { coding } = received
  const problem = coding === undefined ? 'could not be read completely' : `is not valid ${coding}`
  return { failure: unreadable(`The body ${problem}.`) }
}

const syntax: Check = ({ received, profile, row }) => {
  const { format, bytes, text, malformed } = received
  const { emptyIsObject, rejectsBrokenText } = profile.body
  if (format === undefined || bytes === undefined || (bytes.length === 0 && emptyIsObject)) {
    return emptyIsObject ? { data: { body: {} } } : undefined
  }
  if (malformed !== undefined && (rejectsBrokenText || text === undefined)) return { failure: malformed }
  return { data: { body: parseText(text ?? '', format, row.body) } }
}

function unsupported(what: string, sent: string, known: string): { failure: Failure } {
  const message = `The ${what} "${sent}" is not supported. An application/json body can use: ${known}.`
  return { failure: { kind: 'unsupportedEncoding', message } }
}

/** The checks by name. The profile defines their order. */
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

/** The scope of a request: the project of its path or its feature, and the environment of its path or body. */
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

/** The environment that a body names. For a value other than text, a text that no environment can have as its name. */
function nameOf(sent: unknown): string {
  return typeof sent === 'string' ? sent : show(sent)
}

/** The headers of a request, with the cookie of a jar unless the request has its own. */
export function headersWith(given: Headers, { secret }: Partial<LoginJar> = {}): Headers {
  if (secret === undefined || cookie(given, LOGIN_COOKIE) !== undefined) return given
  const headers = new Headers(given)
  const others = headers.get('cookie')
  headers.set('cookie', `${others === null ? '' : `${others}; `}${LOGIN_COOKIE}=${secret}`)
  return headers
}

/** Stores the login that a response sets or ends in a jar. */
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

/** The reason why the login in a request is invalid, if the request was rejected for lack of a login. */
export function loginHint({ headers, world }: Asked, { kind }: Failure): string | undefined {
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

/**
 * Coerces a value, part by part, to the types of a shape, as AJV does in Unleash: a number or a boolean to text, `"true"`
 * or 1 to `true`, `null` to `""`, `false` or 0. A part that can't be coerced stays unchanged.
 */
function coerce(shape: $ZodType, value: unknown): unknown {
  const { def } = (shape as $ZodTypes)._zod
  switch (def.type) {
    case 'optional':
    case 'default':
    case 'readonly':
      return value === undefined ? value : coerce(def.innerType, value)
    case 'nullable':
      return value === null ? value : coerce(def.innerType, value)
    case 'string':
      return isDateTime(shape) ? toDateTime(toText(value)) : toText(value)
    case 'union':
      if (isObject(value)) return def.options.reduce<unknown>((sent, option) => coerce(option, sent), value)
      return typeof value === 'string' && def.options.some(isDateTime) ? toNumber(toDateTime(value)) : value
    case 'enum':
      return toText(value)
    case 'number':
      return toNumber(value)
    case 'boolean':
      return toBoolean(value)
    case 'array':
      return Array.isArray(value) ? value.map((item) => coerce(def.element, item)) : value
    case 'record':
      return isObject(value) ? coerceEntries(def.valueType, value) : value
    case 'object':
      return isObject(value) ? coerceFields(def.shape, value) : value
    default:
      return value
  }
}

function isDateTime(shape: $ZodType): boolean {
  const { def } = (shape as $ZodTypes)._zod
  return def.type === 'string' && 'format' in def && def.format === 'datetime'
}

function coerceFields(shape: Readonly<Record<string, $ZodType>>, value: Record<string, unknown>): unknown {
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const fieldShape = Object.hasOwn(shape, name) ? shape[name] : undefined
      return [name, fieldShape === undefined ? field : coerce(fieldShape, field)]
    }),
  )
}

function coerceEntries(shape: $ZodType, value: Record<string, unknown>): unknown {
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, coerce(shape, entry)]))
}

function toText(value: unknown): unknown {
  if (value === null) return ''
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
}

function toNumber(value: unknown): unknown {
  if (value === null) return 0
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'string' && value !== '' && !Number.isNaN(Number(value)) ? Number(value) : value
}

function toBoolean(value: unknown): unknown {
  if (value === 'true' || value === 1) return true
  return value === 'false' || value === 0 || value === null ? false : value
}

const LOOSE_DATE_TIME = /^(\d{4}-\d\d-\d\d)[Tt\s](\d\d:\d\d:\d\d(?:\.\d+)?)([Zz]|[+-]\d\d:?\d\d)?$/

/** Turns every form of date-time that Unleash accepts (white space, lower case, no zone, no colon) into the strict form. */
function toDateTime(value: unknown): unknown {
  const parts = typeof value === 'string' ? LOOSE_DATE_TIME.exec(value) : null
  if (parts === null) return value
  const [, date, time, zone = 'Z'] = parts
  return `${date}T${time}${zone.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`
}

type Issue = z.core.$ZodIssue

/** Whether an issue comes from a rule beyond types and formats. */
function isRule(issue: Issue): boolean {
  return issue.code === 'custom' && issue.params?.rule === true
}

/**
 * The issue that Unleash's validator, AJV, reports first. In an object it checks the type, then missing properties, then
 * unknown properties, and then the properties in their order.
 */
function firstIssue(issues: readonly Issue[], given: unknown, depth = 0): Issue {
  const [next] = issues
  if (next === undefined) throw new Error('There is no issue.')
  const isExtra = (issue: Issue) => issue.path.length === depth && issue.code === 'unrecognized_keys'
  const found =
    issues.find((issue) => issue.path.length === depth && !isExtra(issue)) ??
    issues.find((issue) => issue.path.length === depth + 1 && valueAt(given, issue.path) === undefined) ??
    issues.find(isExtra)
  if (found !== undefined) return found
  return firstIssue(
    issues.filter((issue) => issue.path[depth] === next.path[depth]),
    given,
    depth + 1,
  )
}

/** The place of a value, and whether an error can quote it. */
interface FaultPlace {
  root: string
  quotes: boolean
}

/** The errors for an issue of the schema, each with its place below a root: `/body/name`. */
function describeIssues(issue: Issue, given: unknown, { root, quotes }: FaultPlace): Detail[] {
  const path = pointer(root, issue.path)
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, FAULTS_TOLD).map((key) => ({
      message: `The object "${path}" takes no property "${pointer(path, [key])}".`,
      path: pointer(path, [key]),
    }))
  }
  if (valueAt(given, issue.path) === undefined) return [{ message: `The property "${path}" is required.`, path }]
  const end = quotes ? `; ${quote(valueAt(given, issue.path))} was sent.` : '.'
  return [{ message: `The property "${path}" ${expectation(issue, end)}`, path }]
}

/** The first issue in each alternative of a value that matches none. */
function alternativesOf({ errors, path }: z.core.$ZodIssueInvalidUnion, given: unknown): Issue[] {
  return errors
    .filter((issues) => issues.length > 0)
    .map((issues) => {
      const placed = issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] }))
      return firstIssue(placed, given, path.length)
    })
}

function fitsNone(path: string): Detail {
  return { message: `"${path}" must match exactly one of its alternatives.`, path }
}

/** `['environments', 0]` → `/body/environments/0` */
function pointer(root: string, path: readonly PropertyKey[]): string {
  return [root, ...path.map((key) => String(key).replaceAll('~', '~0').replaceAll('/', '~1'))].join('/')
}

function expectation(issue: Issue, end: string): string {
  if (issue.code === 'invalid_type') return `must be ${article(issue.expected)}${end}`
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}${end}`
  return `${issue.message}${end}`
}

/** The maximum nesting to quote. JavaScript engines give up at different depths. */
const LEVELS_QUOTED = 1000

/** The sent value, quoted in full as Unleash does, or described if it is nested too deeply. */
function quote(found: unknown): string {
  return isTooDeep(found, LEVELS_QUOTED) ? show(found) : JSON.stringify(found)
}

function article(expected: string): string {
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`
}

/** The body of an operation that takes none, where the profile reads it. */
const anyObject = z.looseObject({})

/** The query and the body, in the required shapes. */
function schema(asked: Asked, { params, body }: Accepted): ReturnType<Check> {
  const { row, request, world } = asked
  const wrong = wrongInteger(row, params)
  if (wrong !== undefined) return { failure: wrong }
  const query = row.query && checkShape(asked, row.query, { part: 'query', sent: queryOf(request) })
  if (query?.failure !== undefined) return query
  const shape = row.bodyFor?.(world.data.tables) ?? row.body ?? (body === undefined ? undefined : anyObject)
  const parsed = shape && checkShape(asked, shape, { part: 'body', sent: body })
  if (parsed?.failure !== undefined) return parsed
  return { data: { query: query?.data, body: parsed === undefined ? body : parsed.data } }
}

/** Whether the integer parameters of the path are integers. */
function wrongInteger({ integers = none }: CheckedRow, params: Accepted['params']): Failure | undefined {
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

/** Parses a part of a request by its shape, or lists all its errors. */
function checkShape(
  { profile, row }: Asked,
  shape: ZodType,
  { part, sent }: { part: 'body' | 'query'; sent: unknown },
): Outcome<unknown> {
  const { exactTypesFor, faults, tellsAlternatives, bareEnumPaths, leavesRules } = profile.schema
  const root = `/${part}`
  const proto = pathWhere(sent, (inner) => Object.hasOwn(inner, PROTO))
  if (proto !== undefined) {
    const path = pointer(root, [...proto, PROTO])
    return { failure: badData(`The property "${path}" has a reserved name.`, path) }
  }
  const given = exactTypesFor.includes(row.id ?? '') ? sent : coerce(shape, sent)
  const parsed = parseUpToFaults(shape, given)
  if (parsed.success) return { data: parsed.data }
  const counts = (issue: Issue) => !leavesRules || !isRule(issue)
  const told = parsed.error.issues.filter(counts)
  // Other errors can come after the first hundred that don't count.
  const issues = told.length > 0 ? told : (shape.safeParse(given).error?.issues.filter(counts) ?? [])
  if (issues.length === 0) return { data: given }
  // A secret can be in the wrong field.
  const quotes = !holdsSecrets(shape)
  const describe = (issue: Issue): Detail[] =>
    describeIssues(issue, given, { root, quotes }).map((detail) =>
      bareEnumPaths && issue.code === 'invalid_value' ? { ...detail, path: String(issue.path.at(-1)) } : detail,
    )
  const firstFaults = (first: Issue): Detail[] => {
    if (!tellsAlternatives) return describe(first).slice(0, 1)
    const hasAlternatives = part === 'body' && row.bodyHasAlternatives === true && first.path.length > 0
    const whole = hasAlternatives ? [fitsNone(root)] : []
    if (first.code !== 'invalid_union') return [...describe(first).slice(0, 1), ...whole]
    const messages = alternativesOf(first, given).flatMap((issue) => describe(issue).slice(0, 1))
    return [...messages, fitsNone(pointer(root, first.path)), ...whole]
  }
  const details =
    faults === 'all' ? issues.flatMap(describe).slice(0, FAULTS_TOLD) : firstFaults(firstIssue(issues, given))
  const message = `The ${part} is invalid: ${details.map((detail) => detail.message).join(' ')}`
  return { failure: { kind: 'badData', message, details } }
}
