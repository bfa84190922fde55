import { operations } from '../api/operations.js'
import { MockError } from '../contract/mock-errors.js'
import type { Session } from '../sessions/session.js'
import { nearestOf, nearOf } from '../support/nearest.js'
import { pathBelow, type Routes, rawPath, segmentsOf } from './routes.js'
import { journalPath, selectSession } from './select.js'
import type { ServiceOptions } from './service.js'

/** The error for a call that the control API doesn't have. `calls` are those that it has. */
export function unknownControlPath({ method, url }: Request, calls: readonly string[]): MockError {
  const given = `${method} ${rawPath(url)}`
  const near = nearOf(given, calls)
  return new MockError(
    'UNKNOWN_CONTROL_PATH',
    `There is no control call ${given}.`,
    near === undefined
      ? 'docs/control-api.md lists all.'
      : `The nearest one is ${near}; docs/control-api.md lists all.`,
  )
}

/** The error for a path that flagdouble doesn't model. */
export function unmodelledRoute({ method, url }: Request, basePath: string): MockError {
  const path = pathBelow(basePath, rawPath(url))
  const hint = path === undefined ? `Everything lies below ${basePath}.` : hintFor(method, path)
  return new MockError('UNMODELLED_ROUTE', `flagdouble does not model ${method} ${rawPath(url)}.`, hint)
}

/** What helps with such a request where there is no server, and so no document to look into. */
export function nearestRouteHint({ method, url }: Request): string {
  const nearest = nearestRoute(method, rawPath(url))
  return nearest === undefined
    ? 'docs/operations.md lists all modelled routes.'
    : `The nearest modelled route is ${nearest}.`
}

/** Whether a request looks like one to the service: to a path that it has, or to any below `/api`. */
export function isServiceRequest(
  { method, url }: Pick<Request, 'method' | 'url'>,
  routes: Routes,
  basePath = '',
): boolean {
  const { place, path } = routes.locate(method, rawPath(url), basePath)
  return path !== undefined && (segmentsOf(path)[0]?.toLowerCase() === 'api' || place === 'operation')
}

/**
 * Enters a request in the journal that an adapter leaves to somebody else, if it looks like one to the service. Returns
 * whether it does.
 */
export function recordUnmodelled(request: Request, url: string, options: ServiceOptions, given: Session): boolean {
  if (!isServiceRequest({ method: request.method, url }, options.routes, options.basePath)) return false
  const session = selectSession(request, options.sessions, given, 'trusted')
  session.journal.record({
    time: session.world().clock.epoch(),
    method: request.method,
    path: journalPath(request.url),
    operation: null,
    scenario: session.switchedTo.join(','),
    status: 0,
    durationMs: 0,
    caller: null,
    requestHeaders: request.headers,
    responseHeaders: {},
    requestText: null,
    responseText: null,
    matched: false,
  })
  return true
}

function hintFor(method: string, path: string): string {
  const nearest = nearestRoute(method, path)
  return nearest === undefined
    ? 'All modelled routes are in /docs/openapi.json; the control panel is at /__mock/.'
    : `The nearest modelled route is ${nearest}; all of them are in /docs/openapi.json.`
}

/**
 * The row whose path is most like this one. Its parameters count as the segments in their places. Below `/api` somebody
 * means a route of the service, so the nearest one helps; elsewhere it has to be really near.
 */
export function nearestRoute(method: string, path: string): string | undefined {
  const find = /^\/api(\/|$)/.test(path) ? nearestOf : nearOf
  const sent = segmentsOf(path)
  const candidates = operations.map((operation) => {
    const filled = segmentsOf(operation.path).map((segment, i) =>
      segment.startsWith(':') ? (sent[i] ?? segment) : segment,
    )
    return { like: `${operation.method} /${filled.join('/')}`, route: `${operation.method} ${operation.path}` }
  })
  const like = find(
    `${method} /${sent.join('/')}`,
    candidates.map((candidate) => candidate.like),
  )
  return candidates.find((candidate) => candidate.like === like)?.route
}
