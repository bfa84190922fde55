import type { OperationRow } from '../api/operations.js'
import { type ErrorKind, type Failure, noAccess } from '../contract/errors.js'
import type { Profile } from '../contract/profile.js'
import type { MatchedRequest } from '../scenarios/force-match.js'
import { type ActiveRule, type ForceRule, replacesAnswer } from '../scenarios/force-rule.js'
import type { Ids } from '../support/ids.js'
import { type Answer, emptyAnswer, jsonAnswer } from './answer.js'
import { parseForm, parseJson } from './body.js'
import type { ReceivedBody } from './exchange.js'
import { decodeSegment } from './path.js'
import { textOf } from './receive.js'
import { errorAnswer } from './respond.js'
import { operationQuery } from './select.js'

/** The header that marks a forced answer. Its value is the rule's id. */
export const FORCED_HEADER = 'x-mock-forced'

/** The kind of error for each status. */
const kindsByStatus: Readonly<Record<number, ErrorKind>> = {
  400: 'badData',
  401: 'authenticationRequired',
  403: 'noAccess',
  404: 'notFound',
  409: 'nameExists',
  413: 'payloadTooLarge',
  415: 'contentType',
  429: 'tooManyRequests',
  500: 'internal',
  503: 'unavailable',
}

/** What a forced answer says about its operation. */
type Ruled = Pick<OperationRow, 'id' | 'permission'>

/** The answer of a rule. Undefined if the rule leaves the answer to the operation. */
export function forcedAnswer(
  { id, rule }: ActiveRule,
  operation: Ruled,
  profile: Profile,
  ids: Ids,
): Answer | undefined {
  if (!replacesAnswer(rule)) return undefined
  const answer = withHeaders(plainAnswer(rule, operation, profile, ids), rule)
  return { ...answer, headers: { ...answer.headers, [FORCED_HEADER]: id }, fault: rule.fault }
}

/** The parts of a request that rules look at. */
export function matchedRequest(
  { url, headers }: Request,
  rawParams: Readonly<Record<string, string>>,
  received: ReceivedBody | undefined,
  profile: Profile,
): MatchedRequest {
  const params = Object.entries(rawParams).map(([name, raw]) => [name, decodeSegment(raw)] as const)
  const text = textOf(received, profile)
  const body = text === null ? undefined : (received?.format === 'form' ? parseForm : parseJson)(text)
  return {
    params: Object.fromEntries(params),
    query: new URLSearchParams(operationQuery(url)),
    headers,
    body: body?.ok ? body.value : undefined,
  }
}

/** An answer with the headers of a rule, which replace its own of the same name. */
export function withHeaders(answer: Answer, { headers = {} }: ForceRule): Answer {
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  return { ...answer, headers: { ...answer.headers, ...Object.fromEntries(given) } }
}

function plainAnswer(rule: ForceRule, operation: Ruled, profile: Profile, ids: Ids): Answer {
  const status = rule.status ?? defaultStatus(rule)
  if (rule.body !== undefined) return jsonAnswer(status, rule.body)
  if (status < 400) return emptyAnswer(status)
  const kind = kindsByStatus[status] ?? (status < 500 ? 'badData' : 'internal')
  return { ...errorAnswer(failureOf(kind, rule, operation), 'check', profile, ids), status }
}

function defaultStatus({ error, body }: ForceRule): number {
  if (error !== undefined) return error.permission === undefined && error.environment === undefined ? 400 : 403
  return body === undefined ? 500 : 200
}

function failureOf(kind: ErrorKind, { error = {} }: ForceRule, operation: Ruled): Failure {
  const failure: Failure =
    kind === 'noAccess'
      ? noAccess(error.permission ?? operation.permission ?? 'ADMIN', error.environment)
      : { kind, message: `This answer is forced for the operation "${operation.id}".` }
  const named = error.message === undefined ? failure : { ...failure, message: error.message }
  return kind === 'badData' ? { ...named, details: [{ message: named.message, path: '/body' }] } : named
}
