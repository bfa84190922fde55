import type { World } from '../sessions/world.js'
import type { Answer } from './answer.js'
import { isClaimed, isInServiceArea } from './claims.js'
import { delayOf, forcedAnswer, matchedRequest, withHeaders } from './forced.js'
import { waitAs } from './operation.js'
import type { Destination } from './routes.js'
import type { Call, Outcome } from './service.js'

/** What rules for every operation apply to, too. */
const ANY = { id: '*' }

/** Passes a request on to an app's own backend. Rejects with a `BrokenConnection` if the client gives up. */
export type Relay = () => Promise<Answer>

/** Whether a request is passed on to an app's own backend, if there is one: it is not for the service. */
export function isProxied(relay: Relay | undefined, destination: Destination): relay is Relay {
  return relay !== undefined && !isClaimed(destination) && !isInServiceArea(destination)
}

/** Passes a request on to the backend, unless a force rule for every operation answers it. Bodies are not recorded. */
export async function answerProxied({ request, options }: Call, world: World, relay: Relay): Promise<Outcome> {
  const { profile } = options
  if (world.loading !== undefined) await world.loading
  const applied = world.rules.countAndMatch(ANY.id, () => matchedRequest(request, {}, undefined, profile))
  await waitAs(delayOf(applied), world, request)
  const { answering } = applied
  const answer = answering === undefined ? await relay() : forcedAnswer(answering, ANY, profile, world.ids)
  await waitAs(world.latency, world, request)
  return { answer: withHeaders(answer, applied), record: { operation: null, proxied: true } }
}
