import type { Answer } from './answer.js'
import type { Destination, Exchange, Relay } from './call.js'
import { underRules } from './forced.js'
import { segmentsOf } from './routes.js'

const AREAS = new Set(['api/admin', 'api/client', 'api/frontend'])
const ROOTS = new Set(['edge', 'internal-backstage'])

/**
 * Whether a request is for the service or for flagdouble itself, and not for an app at the same address: an operation, the
 * control API, and all that is in an area of the service's alone, in any letter case. What it doesn't have there is a
 * mistake. The root is the app's. Outside of `/api`, an app may use other methods on the path of an operation.
 */
export function isClaimed({ place, path = '', row, isOwn }: Destination): boolean {
  if (path === '/') return false
  const [root = '', area = ''] = segmentsOf(path.toLowerCase())
  const isOfOperation = row !== undefined || (place === 'operation' && root === 'api')
  return isOfOperation || isOwn === true || ROOTS.has(root) || AREAS.has(`${root}/${area}`)
}

/** Whether a request is passed on to an app's own backend, if there is one: it is not for the service. */
export function isProxied(relay: Relay | undefined, destination: Destination): relay is Relay {
  return relay !== undefined && !isClaimed(destination)
}

/** What stands for an operation where a request is passed on: rules for every operation apply here, too. */
export const PROXIED = { id: '*', access: 'public' } as const

/** Passes a request on to the backend, unless a force rule for every operation answers it. Bodies are not recorded. */
export async function answerProxied(exchange: Exchange, relay: Relay): Promise<Answer> {
  await exchange.world.loading
  return underRules(exchange, relay)
}
