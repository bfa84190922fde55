import type { OperationRow } from '../api/operations.js'
import type { Failure } from '../contract/errors.js'
import { Rejection } from '../contract/errors.js'
import { anonymous } from '../resources/people/callers.js'
import type { Tables } from '../resources/shared/context.js'
import type { Answer } from './answer.js'
import { runChecks } from './checks.js'
import { ifNoneMatch } from './entity-tag.js'
import type { Exchange } from './exchange.js'
import { headersWith, type LoginJar, loginHint } from './login.js'
import { hintHeader } from './mock-answer.js'
import { errorAnswer, respond } from './respond.js'

type Received = Pick<Exchange, 'request' | 'checked' | 'world' | 'profile' | 'rawParams' | 'received'> & {
  jar?: LoginJar | undefined
}

/** A new exchange: nothing is known yet but what was received. */
export function newExchange({ request, checked, world, profile, rawParams, received, jar }: Received): Exchange {
  return {
    request:
      jar === undefined
        ? request
        : { method: request.method, url: request.url, headers: headersWith(request.headers, jar) },
    checked,
    world,
    profile,
    rawParams,
    received,
    params: {},
    caller: anonymous,
    text: null,
    body: undefined,
    query: undefined,
    sent: [],
  }
}

/** The answer where a check refuses a request. Its body is the service's own, so advice goes in a header. */
export function refusalAnswer(refusal: Failure, exchange: Exchange): Answer {
  const answer = errorAnswer(refusal, 'check', exchange.profile, exchange.world.ids)
  Object.assign(answer.headers, hintHeader(loginHint(exchange, refusal)))
  return answer
}

/**
 * From the bytes of a request to its answer in one synchronous call: checks, operation, commit. Nothing can come between
 * the first read and the commit, so two writes never interleave.
 */
export function handle(exchange: Exchange, operation: OperationRow, baseUrl: string): Answer {
  const { request, world, profile } = exchange
  const refusal = runChecks(exchange)
  if (refusal !== undefined) return refusalAnswer(refusal, exchange)
  const now = world.clock.now()
  const { caller, sent } = exchange
  const contextOf = (tables: Tables) => ({ tables, caller, now, ids: world.ids, baseUrl, sent })
  const run = (tables: Tables) =>
    operation.run({
      params: exchange.params,
      query: exchange.query,
      body: exchange.body,
      headers: request.headers,
      profile,
      context: contextOf(tables),
      tables,
    })
  const { data } = world
  const isRead = operation.method === 'GET' && operation.writes === undefined
  const isHead = request.method === 'HEAD'
  // After a commit nothing may fail, so the answer is made and checked before.
  const answered = (tables: Tables) => sendable(respond(run(tables) ?? {}, operation, profile, contextOf(tables)))
  try {
    const answer = isRead ? answered(data.tables) : data.transact(answered, !isHead)
    if (isHead) changeNothing(exchange, answer)
    return ifNoneMatch(request, answer)
  } catch (thrown) {
    if (!(thrown instanceof Rejection)) throw thrown
    exchange.sent = []
    return errorAnswer(thrown.failure, 'operation', profile, world.ids)
  }
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
    headers.location = headers.location.replace(NOT_IN_A_URL, (text) => encodeURIComponent(wellFormed(text)))
  }
  for (const [name, value] of Object.entries(headers)) {
    if (UNSENDABLE.test(value))
      throw new Error(`the header ${name} of the answer can't be sent: ${JSON.stringify(value)}`)
  }
  return answer
}

/** Half of a surrogate pair can't be encoded. */
function wellFormed(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text))
}
