import type { OperationRow } from '../api/operations.js'
import { Rejection } from '../contract/errors.js'
import { anonymous } from '../resources/people/callers/lookup.js'
import type { Tables } from '../resources/shared/context.js'
import type { Answer } from './answer.js'
import { runChecks } from './checks.js'
import { ifNoneMatch } from './conditional.js'
import type { Exchange } from './exchange.js'
import { errorAnswer, respond } from './respond.js'

type Received = Pick<Exchange, 'request' | 'checked' | 'world' | 'profile' | 'rawParams' | 'received'>

/** A new exchange: nothing is known yet but what was received. */
export function newExchange({ request, checked, world, profile, rawParams, received }: Received): Exchange {
  return {
    request,
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

/**
 * From the bytes of a request to its answer in one synchronous call: checks, operation, commit. Nothing can come between
 * the first read and the commit, so two writes never interleave.
 */
export function handle(exchange: Exchange, operation: OperationRow, baseUrl: string): Answer {
  const { request, world, profile } = exchange
  const refusal = runChecks(exchange)
  if (refusal !== undefined) return errorAnswer(refusal, 'check', profile, world.ids)
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
  try {
    const reply = (isRead ? run(data.tables) : data.transact(run)) ?? {}
    return ifNoneMatch(request, respond(reply, operation, profile, contextOf(data.tables)))
  } catch (thrown) {
    if (!(thrown instanceof Rejection)) throw thrown
    exchange.sent = []
    return errorAnswer(thrown.failure, 'operation', profile, world.ids)
  }
}
