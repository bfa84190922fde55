import type { OperationRow } from '../api/operations.js'
import type { Profile } from '../contract/profile.js'
import { anonymous } from '../resources/people/callers/lookup.js'
import type { OperationContext } from '../resources/shared/context.js'
import type { Latency } from '../scenarios/scenario.js'
import type { Session } from '../sessions/session.js'
import type { World } from '../sessions/world.js'
import { andThen } from '../support/and-then.js'
import { sleep, startStopwatch } from '../support/clock.js'
import type { Ids } from '../support/ids.js'
import type { Answer } from './answer.js'
import { runChecks } from './checks.js'
import { ifNoneMatch } from './conditional.js'
import { BrokenConnection } from './effects.js'
import type { Exchange } from './exchange.js'
import { forcedAnswer, withHeaders } from './forced.js'
import { errorAnswer, respond } from './respond.js'
import { journalPath, SCENARIO_HEADER } from './select.js'

/** A request for an operation, in the world that answers it. */
export interface Call {
  request: Request
  operation: OperationRow
  rawParams: Readonly<Record<string, string>>
  session: Session
  world: World
  profile: Profile
  baseUrl: () => string
}

/**
 * The way of every request for an operation: forced answer, checks in their order, the operation, the answer in the
 * profile's words, latency, journal.
 */
export function serve(call: Call): Answer | Promise<Answer> {
  const { request, operation, session, world } = call
  const elapsed = startStopwatch()
  const time = world.clock.epoch()
  const exchange = newExchange(call)
  return andThen(answerOf(exchange, call.baseUrl), (answer) => {
    answer.headers[SCENARIO_HEADER] = world.name
    return andThen(wait(milliseconds(world.latency, world.ids), request), () => {
      session.journal.record({
        time,
        method: request.method,
        path: journalPath(request.url),
        operation: operation.id,
        scenario: world.name,
        status: answer.fault === 'reset' || answer.fault === 'hang' ? 0 : answer.status,
        durationMs: elapsed(),
        requestText: exchange.text,
        responseText: answer.body,
        matched: true,
      })
      return answer
    })
  })
}

function answerOf(exchange: Exchange, baseUrl: () => string): Answer | Promise<Answer> {
  const { request, operation, world } = exchange
  const active = world.rules.take(operation.id)
  if (active === undefined) return checkAndRun(exchange, baseUrl)
  return andThen(wait(active.rule.delay ?? 0, request), () => {
    const forced = forcedAnswer(active, operation, exchange.profile, world.ids)
    if (forced !== undefined) return forced
    return andThen(checkAndRun(exchange, baseUrl), (answer) => withHeaders(answer, active.rule))
  })
}

function checkAndRun(exchange: Exchange, baseUrl: () => string): Answer | Promise<Answer> {
  const { request, operation, world, profile } = exchange
  return andThen(runChecks(exchange), (refusal) => {
    if (refusal !== undefined) return errorAnswer(refusal, 'check', profile, world.ids)
    const contextOf = (tables: OperationContext['tables']): OperationContext => ({
      tables,
      caller: exchange.caller,
      now: world.clock.now(),
      ids: world.ids,
      baseUrl: baseUrl(),
    })
    const run = (tables: OperationContext['tables']) =>
      operation.run({
        params: exchange.params,
        query: exchange.query as never,
        body: exchange.body as never,
        headers: request.headers,
        profile,
        context: contextOf(tables),
      })
    const reads = operation.method === 'GET' && operation.writes === undefined
    const result = reads ? run(world.store.tables) : world.store.write(run)
    return andThen(result, (outcome) =>
      ifNoneMatch(request, respond(outcome, operation, profile, contextOf(world.store.tables))),
    )
  })
}

export function newExchange({ request, operation, rawParams, session, world, profile }: Call): Exchange {
  return {
    request,
    operation,
    session,
    world,
    profile,
    rawParams,
    params: Object.create(null) as Record<string, string>,
    caller: anonymous,
    sent: undefined,
    bytes: undefined,
    text: null,
    body: undefined,
    query: undefined,
  }
}

function milliseconds(latency: Latency | undefined, ids: Ids): number {
  if (latency === undefined) return 0
  return typeof latency === 'number' ? latency : latency.min + ids.fraction() * (latency.max - latency.min)
}

function wait(ms: number, request: Request): undefined | Promise<undefined> {
  if (ms === 0) return undefined
  return sleep(ms, request.signal).catch((reason: unknown) => {
    throw new BrokenConnection(reason)
  })
}
