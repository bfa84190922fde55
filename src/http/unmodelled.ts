import { operations } from '../api/operations.js'
import { isServicePath } from '../api/service-paths.js'
import { MockError } from '../contract/mock-errors.js'
import { nearestOf } from '../support/nearest.js'
import { type AppContext, type AppOptions, send, sessionOf } from './context.js'
import { recordMockError } from './mock-answer.js'
import { answerNowhere } from './nowhere.js'
import { isControlPath, pathBelow, rawPath } from './path.js'
import { segmentsOf } from './router.js'
import { trySelectWorld } from './select.js'

/** What the app knows, when it does not know a request. */
export interface Known {
  /** The methods that are known on its path. */
  methods: readonly string[]
  /** All that is mounted. */
  routes: readonly { method: string; path: string }[]
}

/**
 * Answers what no operation does: another method on a known path (`methods`) and what the service does not have by the
 * service's own 404, what the kit does not model by the kit's 501, with the nearest path that it does.
 */
export async function answerUnmodelled(
  c: AppContext,
  options: AppOptions,
  { methods, routes }: Known,
): Promise<Response> {
  const request = c.req.raw
  const session = sessionOf(c, options)
  const { path } = c.req
  if (isControlPath(path)) throw unknownControlPath(request, routes)
  const world = trySelectWorld(request, session)
  if (world instanceof MockError) return send(c, recordMockError(world, request, session))
  const isModelled = methods.length > 0
  const isUnknown = options.profile.unknownPaths === 'service' && !isServicePath(path)
  if (!isModelled && !isUnknown)
    return send(c, recordMockError(unmodelledRoute(request, options.basePath), request, session))
  return send(c, await answerNowhere({ request, path, methods, session, world, options }))
}

function unknownControlPath({ method, url }: Request, routes: Known['routes']): MockError {
  const calls = routes.filter(({ path }) => isControlPath(path)).map((route) => `${route.method} ${route.path}`)
  const given = `${method} ${rawPath(url)}`
  return new MockError(
    'UNKNOWN_CONTROL_PATH',
    `There is no control call ${given}.`,
    `The nearest one is ${nearestOf(given, calls)}; the README lists all.`,
  )
}

function unmodelledRoute({ method, url }: Request, basePath: string): MockError {
  const path = pathBelow(basePath, rawPath(url))
  const hint =
    path === undefined
      ? `Everything lies below ${basePath}.`
      : `The nearest modelled route is ${nearestRoute(method, path)}; all of them are in /docs/openapi.json.`
  return new MockError('UNMODELLED_ROUTE', `flagdouble does not model ${method} ${rawPath(url)}.`, hint)
}

/** The row whose path is most like this one, its parameters filled with what stands in their place. */
function nearestRoute(method: string, path: string): string {
  const sent = segmentsOf(path)
  const candidates = operations.map((operation) => {
    const filled = segmentsOf(operation.path).map((segment, i) =>
      segment.startsWith(':') ? (sent[i] ?? segment) : segment,
    )
    return { like: `${operation.method} /${filled.join('/')}`, route: `${operation.method} ${operation.path}` }
  })
  const like = nearestOf(
    `${method} /${sent.join('/')}`,
    candidates.map((candidate) => candidate.like),
  )
  return candidates.find((candidate) => candidate.like === like)?.route ?? ''
}
