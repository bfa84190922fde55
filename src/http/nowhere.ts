import type { OperationRow } from '../api/operations.js'
import { notFound } from '../contract/errors.js'
import type { Access } from '../contract/operation.js'
import type { Session } from '../sessions/session.js'
import type { World } from '../sessions/world.js'
import { fail } from '../support/result.js'
import { type Answer, textAnswer } from './answer.js'
import { runChecks } from './checks.js'
import type { AppOptions } from './context.js'
import { rawPath } from './path.js'
import { errorAnswer, finish } from './respond.js'
import { segmentsOf } from './router.js'
import { journalPath, SCENARIO_HEADER } from './select.js'
import { newExchange } from './serve.js'

/** A request for which the service has nothing. */
interface Nowhere {
  request: Request
  path: string
  /** The methods that the path does take; none for one that the service does not have. */
  methods: readonly string[]
  session: Session
  world: World
  options: AppOptions
}

/** The service's own way to say that there is nothing: after its checks, below `/api` as an object, elsewhere as a page. */
export async function answerNowhere(nowhere: Nowhere): Promise<Answer> {
  const { request, session, world, options } = nowhere
  const { profile } = options
  const exchange = newExchange({ ...options, request, session, world, rawParams: {}, operation: rowOf(nowhere) })
  const refusal = await runChecks(exchange)
  const answer =
    refusal === undefined ? finish(nothing(nowhere), profile) : errorAnswer(refusal, 'check', profile, world.ids)

  function nothing({ path, methods }: Nowhere): Answer {
    if (profile.unknownPaths === 'service') {
      const taken = methods.length === 0 && !isApi(path) ? ['GET'] : methods
      if (request.method === 'OPTIONS' && taken.length > 0) return allow(taken)
      if (!isApi(path)) return page(isRead(request) && !isFile(path) ? 200 : 404)
    }
    const message = `There is nothing at "${rawPath(request.url)}" for the method ${request.method}.`
    return errorAnswer(notFound(message), 'check', profile, world.ids)
  }

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
  return answer
}

/** What the checks ask of a row, where there is none. */
function rowOf({ request, path }: Nowhere): OperationRow {
  return {
    id: 'nowhere',
    method: request.method as OperationRow['method'],
    path,
    summary: 'Nothing',
    tag: 'Nothing',
    access: accessTo(path),
    success: { status: 404, description: 'Nothing' },
    errors: [],
    run: () => fail(notFound('Nothing.')),
  }
}

/** Which key opens the part of the service that a path lies in. */
function accessTo(path: string): Access {
  const [first, second] = segmentsOf(path.toLowerCase())
  if (first !== 'api') return 'public'
  return second === 'client' || second === 'frontend' ? second : 'admin'
}

function isApi(path: string): boolean {
  return accessTo(path) !== 'public'
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Whether a path ends like the name of a file, which the user interface does not have. */
function isFile(path: string): boolean {
  return /[^/]\.[^/.]+$/.test(path)
}

/** In the order in which the service names them. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** What the service answers to OPTIONS. Whoever takes GET takes HEAD. */
function allow(methods: readonly string[]): Answer {
  const allowed = METHODS.filter((method) => methods.includes(method))
    .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .join(',')
  return textAnswer(200, 'text/html', allowed, { allow: allowed })
}

/** In the place of the service's user interface, or of its page for what is not there. */
function page(status: number): Answer {
  const text = status === 200 ? 'Here the service shows its user interface.' : 'There is nothing here.'
  return textAnswer(
    status,
    'text/html',
    `<!doctype html><html lang="en"><title>flagdouble</title><p>${text}</p></html>`,
  )
}
