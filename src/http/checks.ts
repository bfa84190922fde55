import type { ZodType } from 'zod'
import { badData, type Detail, type Failure, noAccess } from '../contract/errors.js'
import type { CheckName } from '../contract/profile.js'
import { inMaintenance, maintenanceFailure } from '../resources/maintenance/rules.js'
import { charsetOf, decodeText, mediaType, parseJson, readBytes } from './body.js'
import { identify, identifyPublic } from './caller.js'
import type { Exchange } from './exchange.js'
import { operationQuery } from './select.js'
import { describeIssues } from './validation.js'

type Check = (exchange: Exchange) => Failure | undefined | Promise<Failure | undefined>

/** The checks by name. Their order is the profile's; the first refusal answers. */
const checks: Readonly<Record<CheckName, Check>> = {
  authentication(exchange) {
    const { request, operation, world, profile } = exchange
    const { tables } = world.store
    const credentials = { headers: request.headers, tables, now: world.clock.now(), profile }
    const caller = operation.access === 'public' ? identifyPublic(credentials) : identify(credentials)
    if (!caller.ok) return caller.failure
    exchange.caller = caller.value
    return undefined
  },

  maintenance({ operation: { method, access, worksInMaintenance }, world }) {
    const changes = method !== 'GET' && access === 'admin' && worksInMaintenance === undefined
    return changes && inMaintenance(world.store.tables) ? maintenanceFailure : undefined
  },

  permission({ operation: { permission }, caller, rawParams }) {
    if (permission === undefined) return undefined
    const { projectId: project } = rawParams
    return caller.may(permission, { project: project && decoded(project) }) ? undefined : noAccess(permission)
  },

  contentType({ request, operation, profile }) {
    if (operation.body === undefined) return undefined
    const type = request.headers.get('content-type') ?? ''
    if (mediaType(type) !== 'application/json') {
      return unsupported(
        type === '' ? 'The request has no content type' : `The content type "${type}" is not supported`,
      )
    }
    const charset = charsetOf(type) ?? 'utf-8'
    if (charset !== 'utf-8') return unsupported(`The charset "${charset}" is not supported`)
    const encoding = contentCoding(request)
    return encoding === undefined || profile.body.encodings.includes(encoding)
      ? undefined
      : unsupported(`The content encoding "${encoding}" is not supported`)
  },

  size: (exchange) => (exchange.operation.body === undefined ? undefined : readBody(exchange)),

  parameters(exchange) {
    const details: Detail[] = []
    for (const name in exchange.rawParams) {
      const raw = exchange.rawParams[name] ?? ''
      try {
        exchange.params[name] = decodeURIComponent(raw)
      } catch {
        details.push({ message: `"${raw}" is not well-formed percent-encoding.`, path: `/params/${name}` })
      }
    }
    const [first] = details
    return first === undefined
      ? undefined
      : { kind: 'badData', message: `The path can't be read: ${first.message}`, details }
  },

  syntax(exchange) {
    if (exchange.bytes === undefined) return undefined
    const text = decodeText(exchange.bytes)
    if (!text.ok) return text.failure
    exchange.text = text.value
    const body = parseJson(text.value)
    if (!body.ok) return body.failure
    exchange.body = body.value
    return undefined
  },

  schema(exchange) {
    const { operation, request } = exchange
    return (
      (operation.query && parseInto(exchange, 'query', operation.query, queryOf(request), '/query')) ??
      (operation.body && parseInto(exchange, 'body', operation.body, exchange.body, '/body'))
    )
  },
}

async function readBody(exchange: Exchange): Promise<Failure | undefined> {
  const { request, profile } = exchange
  const encoding = contentCoding(request)
  try {
    exchange.bytes = await readBytes(request, profile.body.limit, encoding)
  } catch {
    const how = encoding === undefined ? 'could not be read to its end' : `is not well-formed ${encoding}`
    return badData(`The body ${how}.`, '/body')
  }
  if (exchange.bytes !== undefined) return undefined
  const message = `The body is larger than ${profile.body.limit} bytes.`
  return { kind: 'payloadTooLarge', message }
}

function queryOf(request: Request): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(operationQuery(request.url)))
}

function parseInto(
  exchange: Exchange,
  part: 'body' | 'query',
  schema: ZodType,
  given: unknown,
  root: string,
): Failure | undefined {
  const parsed = schema.safeParse(given)
  if (parsed.success) {
    exchange[part] = parsed.data
    return undefined
  }
  const details = parsed.error.issues.flatMap((issue) => describeIssues(issue, given, root))
  const message = `The ${part} does not have the shape that is asked for: ${details.map((detail) => detail.message).join(' ')}`
  return { kind: 'badData', message, details }
}

/** Runs the checks in the profile's order; the first refusal ends it. */
export function runChecks(exchange: Exchange, from = 0): Failure | undefined | Promise<Failure | undefined> {
  const order = exchange.profile.checks
  for (let position = from; position < order.length; position++) {
    const outcome = checks[order[position] as CheckName](exchange)
    if (outcome instanceof Promise) return outcome.then((failure) => failure ?? runChecks(exchange, position + 1))
    if (outcome !== undefined) return outcome
  }
  return undefined
}

/** A parameter of the path, for a look at what the caller may do; that it can be decoded is checked elsewhere. */
function decoded(raw: string): string {
  try {
    return decodeURIComponent(raw)
  } catch {
    return raw
  }
}

/** The coding in which the body is sent; undefined if it is sent as it is. */
function contentCoding(request: Request): string | undefined {
  const coding = request.headers.get('content-encoding')?.trim().toLowerCase()
  return coding === undefined || coding === '' || coding === 'identity' ? undefined : coding
}

function unsupported(what: string): Failure {
  return { kind: 'contentType', message: `${what}; this operation takes application/json, in UTF-8.` }
}
