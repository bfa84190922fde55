import { type ErrorKind, type Failure, noAccess } from '../../service/contract/errors.js'
import { sleep } from '../../support/clock.js'
import { percentDecoded } from '../../support/text.js'
import { MockError } from '../errors/mock-errors.js'
import type { ActiveRule, ForceRule, MatchedRequest } from '../scenarios/force-rule.js'
import type { AppliedRules } from '../scenarios/force-rules.js'
import type { Latency } from '../scenarios/scenario.js'
import { type Answer, BrokenConnection, emptyAnswer, errorAnswer, jsonAnswer, mockErrorAnswer } from './answer.js'
import { mediaType, parseText, valuesByName } from './body.js'
import type { Answered, CallInWorld, CheckedRow } from './call.js'
import { identifyIn } from './checks.js'
import { operationQuery } from './resolve.js'

/** The header that marks a forced response. Its value is the rule's ID. */
export const FORCED_HEADER = 'x-mock-forced'

/** The error for a rule with only a status. */
export const kindsByStatus: Readonly<Record<number, ErrorKind>> = {
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

/** The effects of a world's rules on a request. */
export interface Forced {
  readonly applied: AppliedRules
  /** The response, if a rule responds instead of the operation. */
  readonly answered: Answered | undefined
}

/**
 * Applies the rules of the world, and waits for their delays. The response is `NOT_READY` if the world restarts
 * meanwhile: the request doesn't belong to the new data.
 */
export async function force(call: CallInWorld): Promise<Forced> {
  const { row, world } = call
  while (world.loading !== undefined) await world.loading
  const { starts } = world
  const applied = world.rules.countAndMatch(row.id ?? '*', () => matchedRequest(call))
  const gone = await waitAs(delayOf(applied), call)
  if (gone !== undefined) return { applied, answered: { answer: noAnswer(), gone } }
  if (world.starts !== starts) {
    const problem = `The scenario "${world.name}" started again while this request waited, so nothing was changed.`
    return { applied, answered: { answer: mockErrorAnswer(new MockError('NOT_READY', problem, 'Send it again.')) } }
  }
  return { applied, answered: applied.answering && forcedAnswer(applied.answering, call) }
}

/** Waits for the world's latency, then adds the headers of the rules to the response. */
export async function underRules(answered: Answered, { applied }: Forced, call: CallInWorld): Promise<Answered> {
  const gone = answered.gone ?? (await waitAs(call.world.latency, call))
  if (gone !== undefined) return { ...answered, answer: noAnswer(), gone }
  return { ...answered, answer: confined(withHeaders(answered.answer, applied), applied) }
}

/** The response of a rule. It precedes every check, but the journal still names the caller. */
function forcedAnswer({ id, rule }: ActiveRule, call: CallInWorld): Answered {
  const { data: caller } = identifyIn(call)
  const answer = plainAnswer(rule, call)
  return { answer: { ...answer, headers: { ...answer.headers, [FORCED_HEADER]: id }, fault: rule.fault }, caller }
}

/** The parts of a request that rules match. */
function matchedRequest({ request: { url, headers }, rawParams = {}, received }: CallInWorld): MatchedRequest {
  const params = Object.entries(rawParams).map(([name, raw]) => [name, percentDecoded(raw)] as const)
  const query = valuesByName(new URLSearchParams(operationQuery(url)))
  const { text } = received
  const body = text === undefined ? undefined : parseText(text, received.format ?? 'json').data
  return {
    params: Object.fromEntries(params),
    query: new Map(query.map(([name, values]) => [name, new Set(values)])),
    headers,
    body,
  }
}

/** The milliseconds by which rules delay a request: the sum of all rules. */
function delayOf({ all }: AppliedRules): number {
  return all.reduce((sum, { delay = 0 }) => sum + delay, 0)
}

/** Adds the headers of rules to a response. A newer rule's header replaces an older rule's. */
function withHeaders(answer: Answer, { all }: AppliedRules): Answer {
  const given = all.flatMap(({ headers = {} }) => Object.entries(headers))
  const lowerCase = given.map(([name, value]) => [name.toLowerCase(), value])
  return { ...answer, headers: { ...answer.headers, ...Object.fromEntries(lowerCase) } }
}

/** Rules can send any body under any type. Browsers display anything but JSON without running scripts or loading anything. */
function confined(answer: Answer, { all, answering }: AppliedRules): Answer {
  const isForced = answering !== undefined || all.some(({ headers }) => headers !== undefined)
  if (!isForced || mediaType(answer.headers['content-type'] ?? '') === 'application/json') return answer
  const headers = { 'content-security-policy': 'sandbox', 'x-content-type-options': 'nosniff' }
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

function plainAnswer(rule: ForceRule, { row, world, mock: { profile } }: CallInWorld): Answer {
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
      : { kind, message: `This response is forced for the operation "${id}".` }
  const named = error.message === undefined ? failure : { ...failure, message: error.message }
  return kind === 'badData' ? { ...named, details: [{ message: named.message, path: '/body' }] } : named
}

/** The response to a client that gave up. */
function noAnswer(): Answer {
  return { ...emptyAnswer(0), fault: 'reset' }
}

/** Waits for a rule's or a world's latency. Settles with the broken connection if the client gives up. */
function waitAs(
  latency: Latency | undefined,
  { world: { ids }, request }: CallInWorld,
): Promise<BrokenConnection | undefined> | undefined {
  const ms = typeof latency === 'object' ? latency.min + ids.fraction() * (latency.max - latency.min) : (latency ?? 0)
  if (ms === 0) return undefined
  // A request creates its signal on first use, so only waiting requests pay for it.
  return sleep(ms, request.signal).then(
    () => undefined,
    (reason: unknown) => new BrokenConnection(reason),
  )
}
