import { segmentsOf } from './path.js'
import type { Destination } from './routes.js'

/**
 * Whether a request is for the service or for flagdouble itself, and not for an app at the same address: a modelled
 * operation, its path, the control API. The root is the app's. Outside of `/api`, an app may use other methods on such a
 * path.
 */
export function isClaimed({ place, path = '', found }: Destination): boolean {
  const kind = found?.target.kind
  if (path === '/') return false
  if (place === 'control' || kind === 'operation' || kind === 'kit') return true
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
