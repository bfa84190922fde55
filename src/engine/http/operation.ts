import type { OperationRow } from '../../service/api/operations.js'
import { type Failure, Rejection } from '../../service/contract/errors.js'
import { anonymous } from '../../service/resources/people/callers.js'
import type { Tables } from '../../service/resources/shared/context.js'
import { percentEncoded } from '../../support/text.js'
import type { Cause } from '../sessions/steps.js'
import type { World } from '../sessions/world.js'
import { type Answer, hintHeader, mockErrorAnswer, toMockError } from './answer.js'
import type { Arrival, Call, CheckedRow, Exchange, ReceivedBody } from './call.js'
import { runChecks } from './checks.js'
import { underRules } from './forced.js'
import { headersWith, loginHint } from './login.js'
import { errorAnswer, ifNoneMatch, respond } from './respond.js'

/**
 * Answers a request for an operation. This is the shell around the synchronous core: all waiting happens here, for
 * generated data, a rule's delay and the latency. Not async: most requests wait for nothing.
 */
export function answerOperation(exchange: Exchange<OperationRow>): Answer | Promise<Answer> {
  const { loading, rules, latency } = exchange.world
  const mayWait = loading !== undefined || !rules.isEmpty || latency !== undefined
  return mayWait ? answerWithRules(exchange) : handle(exchange)
}

/** Does the same in a world that makes requests wait, or that has rules for them. */
async function answerWithRules(exchange: Exchange<OperationRow>): Promise<Answer> {
  await exchange.world.loading
  return underRules(exchange, () => handle(exchange))
}

/** Whether an operation answers. */
export function isOfOperation(exchange: Exchange): exchange is Exchange<OperationRow> {
  return exchange.row.run !== undefined
}

/** A new exchange: nothing is known yet but what was received. */
export function newExchange<Row extends CheckedRow>(
  { request, options, params, jar }: Pick<Call, 'request' | 'options' | 'params'> & Pick<Arrival, 'jar'>,
  world: World,
  row: Row,
  received: ReceivedBody,
): Exchange<Row> {
  return {
    request,
    headers: headersWith(request.headers, jar),
    row,
    world,
    profile: options.profile,
    baseUrl: options.baseUrl,
    rawParams: params ?? {},
    received,
    params: {},
    caller: anonymous,
    body: undefined,
    query: undefined,
    cause: undefined,
    sent: [],
  }
}

/** The answer where a check refuses a request. Where a login doesn't count, its message says why, and so does a header. */
export function refusalAnswer(refusal: Failure, exchange: Exchange): Answer {
  const why = loginHint(exchange, refusal)
  const failure = why === undefined ? refusal : { ...refusal, message: why }
  const answer = errorAnswer(failure, 'check', exchange.profile, exchange.world.ids)
  Object.assign(answer.headers, hintHeader(why))
  return answer
}

/**
 * From the bytes of a request to its answer in one synchronous call: checks, operation, commit. Nothing can come between
 * the first read and the commit, so two writes never interleave.
 */
export function handle(exchange: Exchange<OperationRow>): Answer {
  const { request, headers, row, world, profile, baseUrl } = exchange
  const refusal = runChecks(exchange)
  if (refusal !== undefined) return refusalAnswer(refusal, exchange)
  const now = world.clock.now()
  const { caller, sent } = exchange
  const contextOf = (tables: Tables) => ({ tables, caller, now, ids: world.ids, baseUrl, sent })
  const run = (tables: Tables) =>
    row.run({
      params: exchange.params,
      query: exchange.query,
      body: exchange.body,
      headers,
      profile,
      context: contextOf(tables),
      tables,
    })
  const { data } = world
  const isRead = row.method === 'GET' && row.writes === undefined
  const isHead = request.method === 'HEAD'
  // After a commit nothing may fail, so the answer is made and checked before.
  const answered = (tables: Tables) => sendable(respond(run(tables) ?? {}, row, profile, contextOf(tables)))
  try {
    const answer = isRead
      ? answered(data.tables)
      : world.change(causeOf(exchange), () => data.transact(answered, !isHead))
    if (isHead) changeNothing(exchange, answer)
    return isHead || request.method === 'GET' ? ifNoneMatch(request, answer) : answer
  } catch (thrown) {
    exchange.sent = []
    return thrown instanceof Rejection
      ? errorAnswer(thrown.failure, 'operation', profile, world.ids)
      : mockErrorAnswer(toMockError(thrown))
  }
}

function causeOf(exchange: Exchange<OperationRow>): Cause {
  const { row, params } = exchange
  exchange.cause = { what: row.id, title: row.summary, params }
  return exchange.cause
}

/** HEAD changes nothing: it sends no messages, and signs nobody out. */
function changeNothing(exchange: Exchange, { headers }: Answer): void {
  exchange.sent = []
  delete headers['set-cookie']
}

/** What the service percent-encodes in an address, too. */
const NOT_IN_A_URL = /[^\x21\x23-\x3b\x3d\x3f-\x5f\x61-\x7a\x7c\x7e]+/g
const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/

/** The answer with headers that can be sent: its location is percent-encoded. Throws for a header that can't be. */
function sendable(answer: Answer): Answer {
  const { headers } = answer
  if (headers.location !== undefined) {
    headers.location = headers.location.replace(NOT_IN_A_URL, percentEncoded)
  }
  for (const name in headers) {
    const value = headers[name] ?? ''
    if (UNSENDABLE.test(value))
      throw new Error(`the header ${name} of the answer can't be sent: ${JSON.stringify(value)}`)
  }
  return answer
}
