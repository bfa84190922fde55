import { type ErrorKind, type Failure, noAccess, orRejection, Rejection } from '../../service/contract/errors.js'
import { sleep } from '../../support/clock.js'
import { percentDecoded } from '../../support/text.js'
import type { ActiveRule, ForceRule, MatchedRequest } from '../scenarios/force-rule.js'
import type { AppliedRules } from '../scenarios/force-rules.js'
import type { Latency } from '../scenarios/scenario.js'
import { type Answer, emptyAnswer, jsonAnswer } from './answer.js'
import { mediaType, parseText, textOf } from './body.js'
import type { CheckedRow, Exchange } from './call.js'
import { BrokenConnection } from './deliver.js'
import { identifyIn } from './login.js'
import { errorAnswer } from './respond.js'
import { operationQuery } from './select.js'

/** The header that marks a forced answer. Its value is the rule's id. */
export const FORCED_HEADER = 'x-mock-forced'

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

/** The answer to a request, which rules may give in its place, delay or add headers to. */
export async function underRules(exchange: Exchange, answer: () => Answer | Promise<Answer>): Promise<Answer> {
  const { row, world } = exchange
  const applied = world.rules.countAndMatch(row.id ?? '*', () => matchedRequest(exchange))
  await waitAs(delayOf(applied), exchange)
  const given = applied.answering === undefined ? await answer() : forcedAnswer(applied.answering, exchange)
  await waitAs(world.latency, exchange)
  return confined(withHeaders(given, applied), applied)
}

/** The answer of a rule. It precedes every check, but the journal is told who sent the request. */
function forcedAnswer({ id, rule }: ActiveRule, exchange: Exchange): Answer {
  const { headers, row, world, profile } = exchange
  const caller = orRejection(() => identifyIn(world, headers, row.access, profile))
  if (!(caller instanceof Rejection)) exchange.caller = caller
  const answer = plainAnswer(rule, exchange)
  return { ...answer, headers: { ...answer.headers, [FORCED_HEADER]: id }, fault: rule.fault }
}

/** The parts of a request that rules look at. */
function matchedRequest({ request: { url, headers }, rawParams, received }: Exchange): MatchedRequest {
  const params = Object.entries(rawParams).map(([name, raw]) => [name, percentDecoded(raw)] as const)
  const text = textOf(received)
  const body = text === null ? undefined : orRejection(() => parseText(text, received.format ?? 'json'))
  return {
    params: Object.fromEntries(params),
    query: new URLSearchParams(operationQuery(url)),
    headers,
    body: body instanceof Rejection ? undefined : body,
  }
}

/** Milliseconds that rules have a request wait: each of them adds its own. */
function delayOf({ all }: AppliedRules): number {
  return all.reduce((sum, { delay = 0 }) => sum + delay, 0)
}

/** An answer with the headers of rules. Those of a newer rule replace those of the same name. */
function withHeaders(answer: Answer, { all }: AppliedRules): Answer {
  const given = all.flatMap(({ headers = {} }) => Object.entries(headers))
  const lowerCase = given.map(([name, value]) => [name.toLowerCase(), value])
  return { ...answer, headers: { ...answer.headers, ...Object.fromEntries(lowerCase) } }
}

/** Rules may say anything, under any type. What isn't JSON, a browser shows without letting it run or reach anything. */
function confined(answer: Answer, { all, answering }: AppliedRules): Answer {
  const isForced = answering !== undefined || all.some(({ headers }) => headers !== undefined)
  if (!isForced || mediaType(answer.headers['content-type'] ?? '') === 'application/json') return answer
  const headers = { 'content-security-policy': 'sandbox', 'x-content-type-options': 'nosniff' }
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

function plainAnswer(rule: ForceRule, { row, world, profile }: Exchange): Answer {
  const status = rule.status ?? defaultStatus(rule)
  if (rule.body !== undefined) return jsonAnswer(status, rule.body)
  if (status < 400) return emptyAnswer(status)
  const kind = kindsByStatus[status] ?? (status < 500 ? 'badData' : 'internal')
  return { ...errorAnswer(failureOf(kind, rule, row), 'check', profile, world.ids), status }
}

function defaultStatus({ error, body }: ForceRule): number {
  if (error !== undefined) return error.permission === undefined && error.environment === undefined ? 400 : 403
  return body === undefined ? 500 : 200
}

function failureOf(kind: ErrorKind, { error = {} }: ForceRule, { id, permission }: CheckedRow): Failure {
  const failure: Failure =
    kind === 'noAccess'
      ? noAccess(error.permission ?? permission ?? 'ADMIN', error.environment)
      : { kind, message: `This answer is forced for the operation "${id}".` }
  const named = error.message === undefined ? failure : { ...failure, message: error.message }
  return kind === 'badData' ? { ...named, details: [{ message: named.message, path: '/body' }] } : named
}

/** Waits as long as a rule or a world says. Rejects with a `BrokenConnection` if the client gives up. */
function waitAs(latency: Latency | undefined, { world: { ids }, request }: Exchange): Promise<void> | undefined {
  const ms = typeof latency === 'object' ? latency.min + ids.fraction() * (latency.max - latency.min) : (latency ?? 0)
  if (ms === 0) return undefined
  // A request makes its signal when it is first read, so only those that wait pay for one.
  return sleep(ms, request.signal).catch((reason: unknown) => {
    throw new BrokenConnection(reason)
  })
}
