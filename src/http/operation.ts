import type { OperationRow } from '../api/operations.js'
import type { Latency } from '../scenarios/scenario.js'
import type { World } from '../sessions/world.js'
import { sleep } from '../support/clock.js'
import type { Ids } from '../support/ids.js'
import { handle, newExchange } from './core.js'
import { BrokenConnection } from './deliver.js'
import { forcedAnswer, matchedRequest, withHeaders } from './forced.js'
import { receiveBody, textOf } from './receive.js'
import type { Call, Outcome } from './service.js'

/**
 * Answers a request for an operation. This is the shell around the synchronous core: all waiting happens here, for a
 * rule's delay, the body and the latency.
 */
export async function answerOperation(
  call: Call & { world: World },
  operation: OperationRow,
  rawParams: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const { world, request } = call
  const outcome = await forcedOrHandled(call, operation, rawParams)
  const latency = milliseconds(world.latency, world.ids)
  if (latency > 0) await wait(latency, request)
  return outcome
}

async function forcedOrHandled(
  { request, world, options }: Call & { world: World },
  operation: OperationRow,
  rawParams: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const { profile } = options
  const early = world.rules.needBody(operation.id) ? await receiveBody(request, operation, profile) : undefined
  const active = world.rules.countAndMatch(operation.id, () => matchedRequest(request, rawParams, early, profile))
  if (active?.rule.delay) await wait(active.rule.delay, request)
  const forced = active && forcedAnswer(active, operation, profile, world.ids)
  if (forced !== undefined) {
    return { answer: forced, record: { operation: operation.id, requestText: textOf(early, profile) } }
  }

  const receiving = early ?? receiveBody(request, operation, profile)
  const received = receiving instanceof Promise ? await receiving : receiving
  const exchange = newExchange({ request, checked: operation, world, profile, rawParams, received })
  const answer = handle(exchange, operation, options.baseUrl())
  return {
    answer: active === undefined ? answer : withHeaders(answer, active.rule),
    record: { operation: operation.id, requestText: exchange.text },
  }
}

function milliseconds(latency: Latency | undefined, ids: Ids): number {
  if (latency === undefined) return 0
  return typeof latency === 'number' ? latency : latency.min + ids.fraction() * (latency.max - latency.min)
}

function wait(ms: number, { signal }: Request): Promise<undefined> {
  return sleep(ms, signal).catch((reason: unknown) => {
    throw new BrokenConnection(reason)
  })
}
