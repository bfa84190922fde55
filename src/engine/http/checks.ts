import { type Detail, type Failure, noAccess, reject, rejectionOf } from '../../service/contract/errors.js'
import { stopsInMaintenance } from '../../service/contract/operation.js'
import type { Permission } from '../../service/contract/permissions.js'
import type { CheckName } from '../../service/contract/profile.js'
import { holdsSecrets } from '../../service/contract/secrets.js'
import { maintenanceFailure } from '../../service/resources/instance/maintenance.js'
import { inMaintenance } from '../../service/resources/instance/maintenance.operations.js'
import type { PermissionScope } from '../../service/resources/shared/context.js'
import { isObject, show } from '../../support/json.js'
import { percentDecoded } from '../../support/text.js'
import { decodeText, isKnownCoding, mediaType, parseText, unreadable } from './body.js'
import type { Check, Exchange } from './call.js'
import { identifyIn } from './login.js'
import { schema } from './schema-check.js'

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
  return { kind: 'contentType', message: `${what}; this operation takes "${JSON_MEDIA_TYPE}".` }
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
    return { kind: 'payloadTooLarge', message: `The body is larger than ${limit} bytes.` }
  }
  if (received.failed !== 'broken') return undefined
  const { coding } = received
  return unreadable(`The body ${coding === undefined ? 'could not be read to its end' : `is not valid ${coding}`}.`)
}

/** Parses the body. */
const syntax: Check = (exchange) => {
  const { received, profile, row } = exchange
  const { format, charset, bytes } = received
  if (format === undefined || bytes === undefined || (bytes.length === 0 && profile.body.emptyIsObject)) {
    if (profile.body.emptyIsObject) exchange.body = {}
    return undefined
  }
  const text = decodeText(bytes, charset, profile.body.refusesBrokenText)
  exchange.body = parseText(text, format, row.body !== undefined && holdsSecrets(row.body))
  return undefined
}

function unsupported(what: string, sent: string, known: string): Failure {
  return {
    kind: 'unsupportedEncoding',
    message: `The ${what} "${sent}" is not supported. An application/json body may use: ${known}.`,
  }
}

/** The checks by name. Their order is the profile's. */
const checks: Readonly<Record<CheckName, Check>> = {
  authentication(exchange) {
    const { headers, row, world, profile } = exchange
    exchange.caller = identifyIn(world, headers, row.access, profile)
    return undefined
  },

  maintenance({ request, row: { access, worksInMaintenance }, world }) {
    const isStopped = stopsInMaintenance({ method: request.method, access, worksInMaintenance })
    return isStopped && inMaintenance(world.data.tables) ? maintenanceFailure : undefined
  },

  permission(exchange) {
    const { row, caller } = exchange
    const { permission } = row
    if (permission === undefined) return undefined
    const scope = scopeOf(exchange)
    const may = (one: Permission) => caller.may(one, scope)
    const isAllowed = typeof permission === 'string' ? may(permission) : permission.some(may)
    return isAllowed ? undefined : noAccess(permission)
  },

  contentType,
  encoding,
  size,

  parameters(exchange) {
    const details: Detail[] = []
    for (const name in exchange.rawParams) {
      const raw = exchange.rawParams[name] ?? ''
      const value = percentDecoded(raw)
      if (value !== undefined) exchange.params[name] = value
      else details.push({ message: `"${raw}" is not valid percent-encoding.`, path: `/params/${name}` })
    }
    const [first] = details
    return first && { kind: 'badData', message: `The path can't be read: ${first.message}`, details }
  },

  syntax,
  schema,
}

/** Where a request acts: in the project of its path or of its feature, and in the environment of its path or body. */
function scopeOf({ rawParams, body, world, profile }: Exchange): PermissionScope {
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

/** Runs the checks in the profile's order. Returns the first failure. */
export function runChecks(exchange: Exchange): Failure | undefined {
  return rejectionOf(() => {
    for (const name of exchange.profile.checks) reject(checks[name](exchange))
  })
}
