import type { OperationRow } from '../contract/operations.js'
import type { Profile } from '../contract/profile.js'
import type { World } from '../resources/world.js'
import type { Latency } from '../scenarios/scenario.js'
import type { Session } from '../sessions/session.js'
import type { ScenarioWorld } from '../sessions/world.js'
import { sleep, startStopwatch } from '../support/clock.js'
import type { Ids } from '../support/ids.js'
import type { Answer } from './answer.js'
import { anonymous } from './caller.js'
import { runChecks } from './checks.js'
import type { Exchange } from './exchange.js'
import { forcedAnswer } from './forced.js'
import { rawPath } from './path.js'
import { errorAnswer, respond } from './respond.js'
import { operationQuery, SCENARIO_HEADER } from './select.js'

/** A request for an operation, in the world that answers it. */
export interface Call {
  request: Request
  operation: OperationRow
  rawParams: Readonly<Record<string, string>>
  session: Session
  world: ScenarioWorld
  profile: Profile
  baseUrl: () => string
}

/**
 * The way of every request for an operation: forced answer, checks in their order, the operation, the answer in the
 * profile's words, latency, journal.
 */
export async function serve(call: Call): Promise<Answer> {
  const { request, operation, session, world } = call
  const elapsed = startStopwatch()
  const time = world.clock.now().toISOString()
  const exchange = newExchange(call)
  const answer = await answerOf(exchange, call.baseUrl)
  answer.headers[SCENARIO_HEADER] = world.name
  await wait(milliseconds(world.latency, world.ids), request)
  session.journal.record({
    time,
    method: request.method,
    path: rawPath(request.url) + operationQuery(request.url),
    operation: operation.id,
    scenario: world.name,
    status: answer.fault === 'reset' || answer.fault === 'hang' ? 0 : answer.status,
    durationMs: elapsed(),
    requestText: exchange.text,
    responseText: answer.body,
    matched: true,
  })
  return answer
}

async function answerOf(exchange: Exchange, baseUrl: () => string): Promise<Answer> {
  const { request, operation, world, profile } = exchange
  const active = world.rules.take(operation.id)
  if (active !== undefined) {
    await wait(active.rule.delay ?? 0, request)
    const forced = forcedAnswer(active, operation, profile, world.ids)
    if (forced !== undefined) return forced
  }
  const refusal = await runChecks(exchange)
  if (refusal !== undefined) return errorAnswer(refusal, profile, world.ids)
  const run = (tables: World['tables']) =>
    operation.run({
      params: exchange.params,
      query: exchange.query as never,
      body: exchange.body as never,
      profile,
      world: { tables, caller: exchange.caller, now: world.clock.now(), ids: world.ids, baseUrl: baseUrl() },
    })
  const result = operation.method === 'GET' ? run(world.store.tables) : await world.store.write(run)
  return respond(result, operation, profile, world.ids)
}

function newExchange({ request, operation, rawParams, session, world, profile }: Call): Exchange {
  return {
    request,
    operation,
    session,
    world,
    profile,
    rawParams,
    params: Object.create(null) as Record<string, string>,
    caller: anonymous,
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

async function wait(ms: number, request: Request): Promise<void> {
  if (ms > 0) await sleep(ms, request.signal)
}
