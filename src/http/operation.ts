import type { OperationRow } from '../api/operations.js'
import { rejectionOf } from '../contract/errors.js'
import { nameOf } from '../resources/people/callers.js'
import type { Latency } from '../scenarios/scenario.js'
import type { World } from '../sessions/world.js'
import { sleep } from '../support/clock.js'
import { none } from '../support/freeze.js'
import type { Ids } from '../support/ids.js'
import { receiveBody, textOf } from './body.js'
import { handle, newExchange } from './core.js'
import { BrokenConnection } from './deliver.js'
import type { ReceivedBody } from './exchange.js'
import { delayOf, forcedAnswer, matchedRequest, withHeaders } from './forced.js'
import { headersWith, identifyIn } from './login.js'
import type { Call, Outcome } from './service.js'

/** The parts of a call that are used here. */
type Asked = Pick<Call, 'request' | 'options'> & Partial<Pick<Call, 'jar'>>

/**
 * Answers a request for an operation. This is the shell around the synchronous core: all waiting happens here, for
 * generated data, a rule's delay, the body and the latency. Not async: most requests wait for their body at most.
 */
export function answerOperation(
  call: Asked,
  world: World,
  operation: OperationRow,
  rawParams: Readonly<Record<string, string>>,
): Outcome | Promise<Outcome> {
  const { loading, rules, latency } = world
  if (loading !== undefined || !rules.isEmpty || latency !== undefined) {
    return answerWithRules(call, world, operation, rawParams)
  }
  const received = receiveBody(call.request, operation, call.options.profile)
  return received instanceof Promise
    ? received.then((body) => answerReceived(call, world, operation, rawParams, body))
    : answerReceived(call, world, operation, rawParams, received)
}

/** Answers once the body is here, in one synchronous call. */
function answerReceived(
  { request, options: { profile, baseUrl }, jar }: Asked,
  world: World,
  operation: OperationRow,
  rawParams: Readonly<Record<string, string>>,
  received: ReceivedBody,
): Outcome {
  const exchange = newExchange({ request, checked: operation, world, profile, rawParams, received, jar })
  const answer = handle(exchange, operation, baseUrl())
  const { text, sent, caller } = exchange
  return { answer, record: { operation: operation.id, sentBy: nameOf(caller), requestText: text, sent } }
}

/** Does the same in a world that makes requests wait, or that has rules for them. */
async function answerWithRules(
  call: Asked,
  world: World,
  operation: OperationRow,
  rawParams: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const { request, options } = call
  const { profile } = options
  if (world.loading !== undefined) await world.loading
  const early = world.rules.needBody(operation.id) ? await receiveBody(request, operation, profile) : undefined
  const applied = world.rules.countAndMatch(operation.id, () => matchedRequest(request, rawParams, early, profile))
  await waitAs(delayOf(applied), world, request)
  let outcome: Outcome
  if (applied.answering === undefined) {
    const received = early ?? (await receiveBody(request, operation, profile))
    outcome = answerReceived(call, world, operation, rawParams, received)
  } else {
    const sentBy = senderOf(call, operation, world)
    const requestText = textOf(early, profile)
    const answer = forcedAnswer(applied.answering, operation, profile, world.ids)
    outcome = { answer, record: { operation: operation.id, sentBy, requestText, sent: none } }
  }
  outcome.answer = withHeaders(outcome.answer, applied)
  await waitAs(world.latency, world, request)
  return outcome
}

/** Who sent a request that a rule answers before anybody is identified. */
function senderOf({ request, options, jar }: Asked, { access }: OperationRow, world: World): string | null {
  let name: string | null = null
  rejectionOf(() => {
    name = nameOf(identifyIn(world, headersWith(request.headers, jar), access, options.profile))
  })
  return name
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
