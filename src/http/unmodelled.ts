import { notFound } from '../contract/errors.js'
import { MockError } from '../contract/mock-errors.js'
import { operations } from '../contract/operations.js'
import { nearestOf } from '../support/nearest.js'
import { identify } from './caller.js'
import { type AppContext, type AppOptions, send, sessionOf } from './context.js'
import { mockErrorAnswer, recordMockError } from './mock-answer.js'
import { isControlPath, pathBelow, rawPath } from './path.js'
import { errorAnswer } from './respond.js'
import { segmentsOf } from './router.js'
import { journalPath, SCENARIO_HEADER, selectWorld } from './select.js'

/**
 * Answers what no operation does. Another method on a known path is the service's own 404, after its 401;
 * a path that the kit does not model is the kit's 501, with the nearest one that it does.
 */
export async function answerUnmodelled(c: AppContext, options: AppOptions, knownPath: boolean): Promise<Response> {
  const request = c.req.raw
  const session = sessionOf(c, options)
  if (isControlPath(c.req.path)) return send(c, mockErrorAnswer(unknownControlPath(request)))
  if (!knownPath) return send(c, recordMockError(unmodelledRoute(request, options.basePath), request, session))
  const { profile } = options
  const world = selectWorld(request, session)
  const needsKey = c.req.path.toLowerCase().startsWith('/api/')
  const caller = needsKey
    ? identify({ headers: request.headers, tables: world.store.tables, now: world.clock.now(), profile })
    : undefined
  const failure =
    caller?.ok === false
      ? caller.failure
      : notFound(`The path "${rawPath(request.url)}" does not take the method ${request.method}.`)
  const answer = errorAnswer(failure, 'check', profile, world.ids)
  answer.headers[SCENARIO_HEADER] = world.name
  session.journal.record({
    time: world.clock.epoch(),
    method: request.method,
    path: journalPath(request.url),
    operation: null,
    scenario: world.name,
    status: answer.status,
    durationMs: 0,
    requestText: null,
    responseText: answer.body,
    matched: false,
  })
  return send(c, answer)
}

function unknownControlPath(request: Request): MockError {
  return new MockError(
    'UNKNOWN_CONTROL_PATH',
    `There is no control call ${request.method} ${rawPath(request.url)}.`,
    'The README lists the control API; its panel is at /__mock/.',
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
