import { notFound } from '../../service/contract/errors.js'
import { segmentsOf } from '../../support/text.js'
import { MockError } from '../errors/mock-errors.js'
import {
  type Answer,
  emptyAnswer,
  errorAnswer,
  hintHeader,
  jsonAnswer,
  mockErrorAnswer,
  tagged,
  textAnswer,
} from './answer.js'
import type { Answered, CallInWorld } from './call.js'
import { check } from './checks.js'
import { refusalAnswer } from './operation.js'
import {
  accessTo,
  hintOnOtherReleases,
  isServicePath,
  locate,
  nearestRoute,
  pathBelow,
  rawPath,
  routeIn,
} from './routes.js'

/**
 * Unleash's own response for another method on a known path, or for an unknown path. The checks come first; then it is an
 * object below `/api` and a page elsewhere. `UNMODELLED_ROUTE` if the profile leaves such paths to flagdouble.
 */
export async function answerUnknown(call: CallInWorld): Promise<Answered> {
  const { path, methods, request, world } = call
  const { profile, basePath } = call.mock
  const isOfService = profile.unknownPaths === 'service'
  if (path === undefined || (methods === undefined && !isOfService)) {
    return { answer: mockErrorAnswer(unmodelledRoute(request, basePath)) }
  }
  await world.loading
  if (request.method === 'OPTIONS' && accessTo(path) === 'frontend') return { answer: preflight(request) }
  const { failure, caller } = check(call)
  const taking = methods === undefined ? undefined : `This path takes ${methods.join(', ')}.`
  const hint = hintHeader(routeHint(request, path) ?? taking)
  if (failure !== undefined) return { answer: withHint(refusalAnswer(failure, call), hint), caller }
  if (isOfService) {
    const taken = methods ?? (isApi(path) ? [] : ['GET'])
    if (GONE.test(`${request.method} ${path}`)) {
      return { answer: tagged(withHint(jsonAnswer(410, DEPRECATED), hint), profile), caller }
    }
    if (request.method === 'OPTIONS' && taken.length > 0) return { answer: tagged(allow(taken), profile), caller }
    if (!isApi(path)) {
      const answer = withHint(page(isRead(request) && !isFile(path) ? 200 : 404), hint)
      return { answer: isRead(request) ? tagged(answer, profile) : answer, caller }
    }
  }
  const message = `Nothing was found at "${rawPath(request.url)}" for the method ${request.method}.`
  return { answer: withHint(errorAnswer(notFound(message), 'check', profile, world.ids), hint), caller }
}

/** Former routes for which Unleash still has a response. */
const GONE = /^GET \/api\/admin\/metrics\/(feature-toggles|seen-toggles|seen-apps)$/
const DEPRECATED = { lastHour: {}, lastMinute: {}, maturity: 'deprecated' }

/** A hint on a path that ends with a route, and on a route of other releases and editions: Unleash's own errors say nothing about the path. */
function routeHint({ method }: Pick<Request, 'method'>, path: string): string | undefined {
  const route = routeIn(method, path)
  if (route !== undefined) return `The nearest modelled route is ${route}.`
  return hintOnOtherReleases(method, path)
}

function withHint(answer: Answer, hint: Record<string, string>): Answer {
  return { ...answer, headers: { ...answer.headers, ...hint } }
}

/** The frontend API is for pages, so a preflight needs no token. */
function preflight({ headers }: Request): Answer {
  const asked = headers.get('access-control-request-headers')
  return emptyAnswer(204, {
    vary: 'Access-Control-Request-Headers',
    'access-control-allow-methods': 'GET,HEAD,PUT,PATCH,POST,DELETE',
    ...(asked === null ? {} : { 'access-control-allow-headers': asked }),
    'access-control-max-age': '86400',
  })
}

function isApi(path: string): boolean {
  return segmentsOf(path.toLowerCase())[0] === 'api'
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Whether a path ends like a file name. Unleash's user interface has no such pages. */
function isFile(path: string): boolean {
  return /[^/]\.[^/.]+$/.test(path)
}

/** In Unleash's order. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Unleash's response to OPTIONS. GET implies HEAD. */
function allow(methods: readonly string[]): Answer {
  const allowed = METHODS.filter((method) => methods.includes(method))
    .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .join(',')
  return textAnswer(200, 'text/html', allowed, { allow: allowed })
}

/** A substitute for Unleash's user interface, or for its page for unknown paths. */
function page(status: number): Answer {
  const text = status === 200 ? 'Unleash serves its user interface here.' : 'Nothing was found here.'
  return textAnswer(
    status,
    'text/html',
    `<!doctype html><html lang="en"><title>flagdouble</title><p>${text}</p></html>`,
  )
}

function unmodelledRoute({ method, url }: Request, basePath: string): MockError {
  const path = pathBelow(basePath, rawPath(url))
  const hint = path === undefined ? `All routes are below ${basePath}.` : hintFor(method, path)
  return new MockError('UNMODELLED_ROUTE', `flagdouble does not model ${method} ${rawPath(url)}.`, hint)
}

/** A hint for such a request where no server, and so no document, is available. */
export function nearestRouteHint({ method, url }: Pick<Request, 'method' | 'url'>, basePath = ''): string {
  const path = pathBelow(basePath, rawPath(url)) ?? rawPath(url)
  if (locate(method, path, '').row !== undefined) {
    return (
      'The mock models this route, but did not get the request: its handlers have another `baseUrl`, `resetHandlers` has replaced them, or two copies of msw are installed. ' +
      '`npm ls msw` lists the copies.'
    )
  }
  return routeHint({ method }, path) ?? nearestHint(method, path) ?? 'docs/operations.md lists all modelled routes.'
}

/** Whether a request is for an operation, whose path an app can have too, such as `/logout`. */
export function isOperation({ method, url }: Request): boolean {
  return locate(method, rawPath(url), '').row !== undefined
}

/**
 * Whether a request looks like a request to Unleash: to a path that only Unleash has, to any path below `/api`, or of an
 * SDK with a wrong path.
 */
export function isServiceRequest({ url, method, headers }: AskedBy, basePath = ''): boolean {
  const path = pathBelow(basePath, rawPath(url))
  if (path !== undefined && (isApi(path) || isServicePath(path))) return true
  return SDK_HEADERS.some((name) => headers.has(name)) && routeIn(method, rawPath(url)) !== undefined
}

type AskedBy = Pick<Request, 'url' | 'method' | 'headers'>

/** The headers of SDKs: today's, and an older one. */
const SDK_HEADERS = ['unleash-appname', 'unleash-sdk', 'x-unleash-appname']

function nearestHint(method: string, path: string): string | undefined {
  const nearest = nearestRoute(method, path)
  return nearest && `The nearest modelled route is ${nearest}.`
}

function hintFor(method: string, path: string): string {
  const hint = routeHint({ method }, path) ?? nearestHint(method, path)
  return hint === undefined
    ? 'All modelled routes are in /docs/openapi.json; the control panel is at /__mock/.'
    : `${hint.replace(/\.$/, '')}; all of them are in /docs/openapi.json.`
}
