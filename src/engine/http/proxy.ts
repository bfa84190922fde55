import type { World } from '../sessions/world.js'
import { NO_BODY } from './body.js'
import type { Call, Destination, Outcome, Relay } from './call.js'
import { forcedAnswer, matchedRequest, underRules } from './forced.js'
import { segmentsOf } from './routes.js'

/**
 * Whether a request is for the service or for flagdouble itself, and not for an app at the same address: a modelled
 * operation, its path, the control API. The root is the app's. Outside of `/api`, an app may use other methods on such a
 * path.
 */
export function isClaimed({ place, path = '', found }: Destination): boolean {
  const kind = found?.target.kind
  if (path === '/') return false
  if (place === 'control' || kind === 'operation' || kind === 'control') return true
  const [area] = segmentsOf(path.toLowerCase())
  return place === 'operation' && area === 'api'
}

const AREAS = new Set(['api/admin', 'api/client', 'api/frontend'])
const ROOTS = new Set(['edge', 'internal-backstage'])

/** Whether a path is in an area that is the service's alone, in any letter case. What it doesn't have there is a mistake. */
export function isInServiceArea({ path = '' }: Destination): boolean {
  const [root = '', area = ''] = segmentsOf(path.toLowerCase())
  return ROOTS.has(root) || AREAS.has(`${root}/${area}`)
}

/** Rules for every operation apply here, too. */
const ANY = { id: '*' }

/** Whether a request is passed on to an app's own backend, if there is one: it is not for the service. */
export function isProxied(relay: Relay | undefined, destination: Destination): relay is Relay {
  return relay !== undefined && !isClaimed(destination) && !isInServiceArea(destination)
}

/** Passes a request on to the backend, unless a force rule for every operation answers it. Bodies are not recorded. */
export async function answerProxied({ request, options }: Call, world: World, relay: Relay): Promise<Outcome> {
  const { profile } = options
  if (world.loading !== undefined) await world.loading
  const matched = () => matchedRequest(request, {}, NO_BODY)
  return underRules(request, world, ANY.id, matched, async (answering) => ({
    answer: answering === undefined ? await relay() : forcedAnswer(answering, ANY, profile, world.ids),
    proxied: true,
  }))
}
