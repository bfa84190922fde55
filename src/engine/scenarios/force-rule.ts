import * as z from 'zod'
import { type OperationId, operationIds, operations } from '../../service/api/operations.js'
import { paramNames } from '../../service/contract/operation.js'
import { contains, isJson } from '../../support/json.js'
import { didYouMean } from '../../support/nearest.js'
import { type ConnectionFault, faults } from './faults.js'

/** What a request must contain for a force rule to apply to it. What is left out doesn't matter. */
export interface ForceMatch {
  /** Parameters of the path, such as `{ featureName: 'checkout-redesign' }`. docs/operations.md lists their names. */
  params?: Readonly<Record<string, string | number | boolean>> | undefined
  /** Parameters of the query, such as `{ archived: true }`. One that is repeated must have the value at least once. */
  query?: Readonly<Record<string, string | number | boolean>> | undefined
  /** Headers with their exact values. The case of their names doesn't matter. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Part of the JSON body: objects may have more fields, lists must have the same length. */
  body?: unknown
}

const value = z.union([z.string(), z.number(), z.boolean()], { error: 'must be a string, a number or true or false' })

const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'must be the name of a header')

const forceMatchSchema = z
  .strictObject({
    params: z.record(z.string(), value).optional(),
    query: z.record(z.string(), value).optional(),
    headers: z.record(headerName, z.string()).optional(),
    body: z.unknown().refine(isJson, { error: 'must be JSON' }).optional(),
  })
  .refine((match) => Object.values(match).some((part) => part !== undefined), {
    error: 'must contain params, query, headers or body',
  })

/** The parts of a request that rules look at. */
export interface MatchedRequest {
  /** Percent-decoded. */
  params: Readonly<Record<string, string | undefined>>
  query: URLSearchParams
  headers: Pick<Headers, 'get'>
  /** Parsed; undefined if there is none, or none that the service reads. */
  body: unknown
}

/** Whether a request has all that a rule asks of it. */
export function matchesRequest(match: ForceMatch = {}, request: MatchedRequest): boolean {
  const { params = {}, query = {}, headers = {} } = match
  return (
    Object.entries(params).every(([name, expected]) => request.params[name] === String(expected)) &&
    Object.entries(query).every(([name, expected]) => request.query.getAll(name).includes(String(expected))) &&
    Object.entries(headers).every(([name, expected]) => request.headers.get(name) === expected) &&
    (match.body === undefined || contains(request.body, match.body))
  )
}

/** The names of the parameters in an operation's path; for `*`, of those in all paths. */
export function parametersOf(operation: string): string[] {
  const paths = operations.filter(({ id }) => operation === '*' || id === operation).map(({ path }) => path)
  return [...new Set(paths.flatMap(paramNames))]
}

const milliseconds = z.number().min(0).max(3_600_000)
const count = z.int().min(0)
const headerValue = z.string().regex(/^[\t -~\u0080-\u00ff]*$/, 'must be one line of Latin characters')

/** Headers that frame an answer or belong to its connection. A wrong one makes an answer that no client can read. */
const FRAMING = /^(?:connection|content-length|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i

const headers = z.record(headerName, headerValue).superRefine((given, context) => {
  for (const name of Object.keys(given).filter((name) => FRAMING.test(name))) {
    const message = 'must not be forced, because the server sets it so that clients can read the response'
    context.addIssue({ code: 'custom', path: [name], message })
  }
})

/** Forces an operation's answer. It takes precedence over every check, authentication included. */
export interface ForceRule {
  /** The id of an operation, such as `cloneFeature`, or `*` for all. docs/operations.md lists them. */
  operation: OperationId | '*'
  /** Limits the rule to requests that contain all of this. */
  match?: ForceMatch | undefined
  /** The status to answer, from 200 to 599. Without a `body`, it is the service's own error for this status. */
  status?: number | undefined
  /** Fields of the error object. With `permission` or `environment`, it is a 403. */
  error?: ForcedError | undefined
  /** The JSON body to answer, in place of an error object. On its own, it comes with status 200. */
  body?: unknown
  /** Headers of the answer. A rule with nothing but these and a delay leaves the answer to the next rule that matches. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Milliseconds to wait before the answer, in addition to those of other rules that apply. */
  delay?: number | undefined
  /**
   * How delivery fails. `reset`: the connection breaks; `hang`: no answer comes; `truncate`: the answer breaks off;
   * `malformed`: the body is not valid JSON.
   */
  fault?: ConnectionFault | undefined
  /** How many requests to let through before the rule applies. Only requests that match are counted. */
  after?: number | undefined
  /** How many requests the rule applies to. Default: all. */
  times?: number | undefined
}

/** What a forced error says. */
export interface ForcedError {
  /** The missing permission that a 403 names. */
  permission?: string | undefined
  /** The environment that a 403 names. */
  environment?: string | undefined
  /** The message, in place of the default one. */
  message?: string | undefined
}

export const forceRuleSchema = z
  .strictObject({
    operation: z.enum([...operationIds, '*']),
    match: forceMatchSchema.optional(),
    status: z.int().min(200).max(599).optional(),
    error: z
      .strictObject({
        permission: z.string().optional(),
        environment: z.string().optional(),
        message: z.string().optional(),
      })
      .optional(),
    body: z.unknown().refine(isJson, { error: 'must be JSON' }).optional(),
    headers: headers.optional(),
    delay: milliseconds.optional(),
    fault: z.enum(Object.keys(faults) as ConnectionFault[]).optional(),
    after: count.optional(),
    times: count.optional(),
  })
  .superRefine((rule, { addIssue }) => {
    for (const fault of faultsOf(rule)) addIssue({ code: 'custom', ...fault })
  })
  .meta({ id: 'forceRule' })

/** What is wrong with a rule beyond its single fields: it would never apply, or it would change nothing. */
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

/** A rule in force, with the number of requests that reached it. */
export interface ActiveRule {
  id: string
  rule: ForceRule
  seen: number
}

/** Whether a rule gives the answer. If not, it delays that of another rule or of the operation, or adds headers to it. */
export function replacesAnswer(rule: Omit<ForceRule, 'operation'>): boolean {
  return rule.status !== undefined || rule.error !== undefined || rule.body !== undefined || rule.fault !== undefined
}
