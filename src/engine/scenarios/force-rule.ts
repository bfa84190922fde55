import * as z from 'zod'
import { type OperationId, operationIds, operations } from '../../service/api/operations.js'
import { paramNames } from '../../service/contract/operation.js'
import { field } from '../../service/resources/shared/fields.js'
import { contains, isJson } from '../../support/json.js'
import { didYouMean } from '../../support/nearest.js'
import { type ConnectionFault, faults } from './faults.js'

/** The conditions of a rule for a request. An omitted condition always holds. */
export interface ForceMatch {
  /** Path parameters, such as `{ featureName: 'checkout-redesign' }`. docs/operations.md lists their names. */
  params?: Readonly<Record<string, string | number | boolean>> | undefined
  /** Query parameters, such as `{ archived: true }`. At least one value of a repeated parameter must match. */
  query?: Readonly<Record<string, string | number | boolean>> | undefined
  /** Headers with their exact values. Names are case-insensitive. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Part of the JSON body: objects can have more fields, lists must have the same length. */
  body?: unknown
}

const value = z.union([z.string(), z.number(), z.boolean()], { error: 'must be a string, a number or true or false' })

const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'must be the name of a header')

const forceMatchSchema = z
  .strictObject({
    params: field(
      z.record(z.string(), value).optional(),
      "Path parameters, such as `{ featureName: 'checkout-redesign' }`. docs/operations.md lists their names.",
    ),
    query: field(
      z.record(z.string(), value).optional(),
      'Query parameters, such as `{ archived: true }`. At least one value of a repeated parameter must match.',
    ),
    headers: field(
      z.record(headerName, z.string()).optional(),
      'Headers with their exact values. Names are case-insensitive.',
    ),
    body: field(
      z.unknown().refine(isJson, { error: 'must be JSON' }).optional(),
      'Part of the JSON body: objects can have more fields, lists must have the same length.',
    ),
  })
  .refine((match) => Object.values(match).some((part) => part !== undefined), {
    error: 'must contain params, query, headers or body',
  })

/** The parts of a request that rules match. */
export interface MatchedRequest {
  /** Percent-decoded. */
  params: Readonly<Record<string, string | undefined>>
  query: ReadonlyMap<string, ReadonlySet<string>>
  headers: Pick<Headers, 'get'>
  /** Parsed; undefined without a body, or for a body that Unleash doesn't read. */
  body: unknown
}

/** Whether a request meets all conditions of a rule. */
export function matchesRequest(match: ForceMatch = {}, request: MatchedRequest): boolean {
  const { params = {}, query = {}, headers = {} } = match
  return (
    Object.entries(params).every(([name, expected]) => request.params[name] === String(expected)) &&
    Object.entries(query).every(([name, expected]) => request.query.get(name)?.has(String(expected))) &&
    Object.entries(headers).every(([name, expected]) => request.headers.get(name) === expected) &&
    (match.body === undefined || contains(request.body, match.body))
  )
}

/** The error for a path, or a method and a path, in place of an operation's ID. Undefined for any other value. */
function operationAtPath(given: unknown): string | undefined {
  const [, method, path = ''] = /^(?:([A-Z]+) +)?(\/\S*)$/.exec(String(given)) ?? []
  const shapeOf = (text: string) => text.replace(/[?#].*/, '').replaceAll(/:\w+|\{\w+\}/g, ':')
  const found = operations.filter((row) => {
    return shapeOf(row.path) === shapeOf(path) && (method === undefined || row.method === method)
  })
  const ids = found.map(({ id }) => `"${id}"`).join(' or ')
  return ids === '' ? undefined : `must be the ID of an operation, and not its path. Did you mean ${ids}?`
}

/** All operations of the Admin API, in a rule: requests of SDKs pass it by. */
export const ADMIN_API = '/api/admin/*'

const adminOperations: ReadonlySet<string> = new Set(
  operations.filter(({ path }) => path.startsWith('/api/admin/')).map(({ id }) => id),
)

/** Whether a rule's `operation` includes an operation. */
export function includesOperation(given: string, id: string): boolean {
  return given === '*' || given === id || (given === ADMIN_API && adminOperations.has(id))
}

/** The names of an operation's path parameters; for `*`, the names in all paths. */
export function parametersOf(operation: string): string[] {
  const paths = operations.filter(({ id }) => includesOperation(operation, id)).map(({ path }) => path)
  return [...new Set(paths.flatMap(paramNames))]
}

const milliseconds = z.number().min(0).max(3_600_000)
const count = z.int().min(0)
const headerValue = z.string().regex(/^[\t -~\u0080-\u00ff]*$/, 'must be one line of Latin characters')

/** Headers that frame a response or belong to its connection. A wrong value makes the response unreadable for all clients. */
const FRAMING = /^(?:connection|content-length|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i

const headers = z.record(headerName, headerValue).superRefine((given, context) => {
  for (const name of Object.keys(given).filter((name) => FRAMING.test(name))) {
    const message = 'must not be forced, because the server sets it so that clients can read the response'
    context.addIssue({ code: 'custom', path: [name], message })
  }
})

/** Overrides an operation's response. It precedes every check, including authentication. */
export interface ForceRule {
  /**
   * The ID of an operation, such as `cloneFeature`, `/api/admin/*` for all of the Admin API, or `*` for all.
   * docs/operations.md lists them.
   */
  operation: OperationId | typeof ADMIN_API | '*'
  /** Limits the rule to requests that meet all these conditions. */
  match?: ForceMatch | undefined
  /** The status of the response, from 200 to 599. Without a `body`, the response is Unleash's error for this status. */
  status?: number | undefined
  /** Fields of the error object. With `permission` or `environment`, it is a 403. */
  error?: ForcedError | undefined
  /** The JSON body of the response, in place of an error object. Without a `status`, the status is 200. */
  body?: unknown
  /** Headers of the response. A rule with only headers and a delay leaves the response to the next matching rule. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Milliseconds before the response, in addition to the delays of other rules. */
  delay?: number | undefined
  /**
   * A connection fault. `reset`: the connection breaks; `hang`: no response comes; `truncate`: the response breaks off;
   * `malformed`: the body is invalid JSON.
   */
  fault?: ConnectionFault | undefined
  /** The number of matching requests before the rule applies. */
  after?: number | undefined
  /** The number of requests to which the rule applies. Default: all. */
  times?: number | undefined
  /** Whether a test can end without a request that matches the rule. Default: `flagdouble/vitest` fails such a test. */
  optional?: boolean | undefined
}

/** The fields of an overridden error. */
export interface ForcedError {
  /** The missing permission that a 403 names. */
  permission?: string | undefined
  /** The environment that a 403 names. */
  environment?: string | undefined
  /** The message, in place of the default message. */
  message?: string | undefined
}

const ERROR_FORM = {
  error: ({ code }: z.core.$ZodRawIssue) =>
    code === 'invalid_type' ? 'must be an object such as { "message": "Busy" }' : undefined,
}

export const forceRuleSchema = z
  .strictObject({
    operation: field(
      z.enum([...operationIds, ADMIN_API, '*'], { error: ({ input }) => operationAtPath(input) }),
      'The ID of an operation, such as `cloneFeature`, `/api/admin/*` for all of the Admin API, or `*` for all. docs/operations.md lists them.',
    ),
    match: field(forceMatchSchema.optional(), 'Limits the rule to requests that meet all these conditions.'),
    status: field(
      z.int().min(200).max(599).optional(),
      "The status of the response, from 200 to 599. Without a `body`, the response is Unleash's error for this status.",
    ),
    error: field(
      z
        .strictObject(
          {
            permission: field(z.string().optional(), 'The missing permission that a 403 names.'),
            environment: field(z.string().optional(), 'The environment that a 403 names.'),
            message: field(z.string().optional(), 'The message, in place of the default message.'),
          },
          ERROR_FORM,
        )
        .optional(),
      'Fields of the error object. With `permission` or `environment`, it is a 403.',
    ),
    body: field(
      z.unknown().refine(isJson, { error: 'must be JSON' }).optional(),
      'The JSON body of the response, in place of an error object. Without a `status`, the status is 200.',
    ),
    headers: field(
      headers.optional(),
      'Headers of the response. A rule with only headers and a delay leaves the response to the next matching rule.',
    ),
    delay: field(
      milliseconds.optional(),
      'Milliseconds before the response, in addition to the delays of other rules.',
    ),
    fault: field(
      z.enum(Object.keys(faults) as ConnectionFault[]).optional(),
      'A connection fault. `reset`: the connection breaks; `hang`: no response comes; `truncate`: the response breaks off; `malformed`: the body is invalid JSON.',
    ),
    after: field(count.optional(), 'The number of matching requests before the rule applies.'),
    times: field(count.optional(), 'The number of requests to which the rule applies. Default: all.'),
    optional: field(
      z.boolean().optional(),
      'Whether a test can end without a request that matches the rule. Default: `flagdouble/vitest` fails such a test.',
    ),
  })
  .superRefine((rule, { addIssue }) => {
    for (const fault of faultsOf(rule)) addIssue({ code: 'custom', ...fault })
  })
  .meta({ id: 'forceRule' })

/** The problems of a rule beyond its single fields: it would never apply, or change nothing. */
function* faultsOf({ operation, match, ...rule }: ForceRule): Generator<{ path: string[]; message: string }> {
  const known = parametersOf(operation)
  for (const name of Object.keys(match?.params ?? {})) {
    const hint = didYouMean(name, known)
    if (!known.includes(name)) {
      yield {
        path: ['match', 'params', name],
        message: `is not a parameter of the path (${known.join(', ')})${hint && `.${hint}`}`,
      }
    }
  }
  const changesMore = Boolean(rule.delay) || Object.keys(rule.headers ?? {}).length > 0
  if (!replacesAnswer(rule) && !changesMore) {
    yield { path: ['status'], message: 'is required, unless the rule has error, body, headers, delay or fault' }
  }
  const isBare = rule.error === undefined && rule.body === undefined && rule.fault === undefined
  if (rule.status === 200 && isBare && !changesMore) {
    yield { path: ['status'], message: 'must come with a body, headers, a delay or a fault' }
  }
}

/** An active rule, with the number of matching requests. */
export interface ActiveRule {
  id: string
  rule: ForceRule
  seen: number
}

/** Whether a rule responds. Otherwise it delays the response of another rule or of the operation, or adds headers to it. */
export function replacesAnswer(rule: Omit<ForceRule, 'operation'>): boolean {
  return rule.status !== undefined || rule.error !== undefined || rule.body !== undefined || rule.fault !== undefined
}
