import type { OperationRow } from '../api/operations.js'
import type { Message } from '../resources/shared/context.js'
import type { Latency } from '../scenarios/scenario.js'
import type { World } from '../sessions/world.js'
import { sleep } from '../support/clock.js'
import { none } from '../support/freeze.js'
import type { Ids } from '../support/ids.js'
import { handle, newExchange } from './core.js'
import { BrokenConnection } from './deliver.js'
import { forcedAnswer, matchedRequest, withHeaders } from './forced.js'
import { receiveBody, textOf } from './receive.js'
import type { Call, Outcome } from './service.js'

/**
 * Answers a request for an operation. This is the shell around the synchronous core: all waiting happens here, for
 * generated data, a rule's delay, the body and the latency.
 */
export async function answerOperation(
  { request, options }: Pick<Call, 'request' | 'options'>,
  world: World,
  operation: OperationRow,
  rawParams: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const { profile } = options
  if (world.loading !== undefined) await world.loading
  const early = world.rules.needBody(operation.id) ? await receiveBody(request, operation, profile) : undefined
  const active = world.rules.countAndMatch(operation.id, () => matchedRequest(request, rawParams, early, profile))
  await waitAs(active?.rule.delay, world, request)
  let answer = active && forcedAnswer(active, operation, profile, world.ids)
  let requestText = textOf(early, profile)
  let sent: readonly Message[] = none
  if (answer === undefined) {
    const receiving = early ?? receiveBody(request, operation, profile)
    const received = receiving instanceof Promise ? await receiving : receiving
    const exchange = newExchange({ request, checked: operation, world, profile, rawParams, received })
    const handled = handle(exchange, operation, options.baseUrl())
    answer = active === undefined ? handled : withHeaders(handled, active.rule)
    requestText = exchange.text
    sent = exchange.sent
  }
  await waitAs(world.latency, world, request)
  return { answer, record: { operation: operation.id, requestText, sent } }
}

/** Waits as long as a rule or a world says. Rejects with a `BrokenConnection` if the client gives up. */
export function waitAs(latency: Latency | undefined, { ids }: World, request: Request): Promise<void> | undefined {
  const ms = milliseconds(latency, ids)
  if (ms === 0) return undefined
  // A request makes its signal when it is first read, so only those that wait pay for one.
  return sleep(ms, request.signal).catch((reason: unknown) => {
    throw new BrokenConnection(reason)
  })
}

function milliseconds(latency: Latency | undefined, ids: Ids): number {
  if (latency === undefined) return 0
  return typeof latency === 'number' ? latency : latency.min + ids.fraction() * (latency.max - latency.min)
}
