import * as z from 'zod'
import { operations } from '../api/operations.js'
import { paramNames } from '../contract/operation.js'
import { isJson } from '../support/json-value.js'
import { contains } from '../support/subset.js'

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

export const forceMatchSchema = z
  .strictObject({
    params: z.record(z.string(), value).optional().meta({ description: "Parameters of the operation's path" }),
    query: z.record(z.string(), value).optional().meta({ description: 'Parameters of the query' }),
    headers: z.record(z.string(), z.string()).optional().meta({ description: 'Headers with their exact values' }),
    body: z
      .unknown()
      .refine(isJson, { error: 'must be JSON' })
      .optional()
      .meta({ description: 'Part of the body: objects may have more fields, lists must have the same length' }),
  })
  .refine((match) => Object.values(match).some((part) => part !== undefined), {
    error: 'must name params, query, headers or body',
  })

/** The parts of a request that rules look at. */
export interface MatchedRequest {
  /** Percent-decoded. */
  params: Readonly<Record<string, string | undefined>>
  query: URLSearchParams
  headers: Headers
  /** Parsed; undefined if there is none, or none that the service reads. */
  body: unknown
}

/** Whether a request has all that a rule asks of it. */
export function matchesRequest(match: ForceMatch, request: MatchedRequest): boolean {
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
