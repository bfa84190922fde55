/**
 * The service as msw handlers: one for each operation, in the order of the table, and one for the control API.
 *
 * @module
 */
import { HttpHandler, HttpResponse } from 'msw'
import type { OperationRow } from '../api/operations.js'
import { operations } from '../api/operations.js'
import { MockError } from '../contract/mock-errors.js'
import type { MockSession } from '../control/mock-session.js'
import type { Delivery } from '../http/effects.js'
import type { Target } from '../http/match.js'
import type { Mock } from '../mock.js'

export interface HandlerOptions {
  /**
   * Where the service's paths and its links begin, such as `https://flags.example.com/proxy`. Default: paths at any
   * origin, links at the mock's own `baseUrl`.
   */
  baseUrl?: string | undefined
}

/** What handlers need of a mock, or of one of its sessions. */
export type HandledMock = Pick<MockSession, 'fetch' | 'match'> & Partial<Pick<Mock, 'settle'>>

const delivery: Delivery = { reset: () => HttpResponse.error() }

/**
 * Handlers that answer as the mock does. A request that it does not model is left to msw.
 *
 * @example
 * const server = setupServer(...createHandlers(createMock()))
 * server.listen(listenOptions())
 */
export function createHandlers(mock: HandledMock, { baseUrl }: HandlerOptions = {}): HttpHandler[] {
  const base = baseUrl === undefined ? undefined : parseBase(baseUrl)
  if (base !== undefined) mock.settle?.(base.href)
  const inner = (url: string) => (base === undefined ? url : innerUrl(url, base))
  const targets = new WeakMap<Request, Target | 'none'>()
  const targetOf = (request: Request) => {
    const known = targets.get(request)
    if (known !== undefined) return known
    const url = inner(request.url)
    const target = (url === undefined ? undefined : mock.match(request.method, url)) ?? 'none'
    targets.set(request, target)
    return target
  }
  const resolve = async ({ request }: { request: Request }) => {
    const url = inner(request.url) ?? request.url
    try {
      return await mock.fetch(url === request.url ? request : new Request(url, request), delivery)
    } catch (error) {
      // The client gave up, and nobody waits for an answer: msw would take the reason for a bug and report it.
      if (request.signal.aborted) return HttpResponse.error()
      throw error
    }
  }
  const handlers = (operations as readonly OperationRow[]).map(({ id, method, path }) => {
    const isFor = (request: Request) => targetOf(request) === id && request.method === method
    return new MockHandler(method, `${method} ${path}`, isFor, async (info) => withCookies(await resolve(info)))
  })
  const isForOthers = (request: Request) => {
    const target = targetOf(request)
    return target === 'control' || target === 'otherMethod' || (target !== 'none' && request.method === 'HEAD')
  }
  return [...handlers, new MockHandler(/.+/, 'ALL /__mock/*, and other methods of known paths', isForOthers, resolve)]
}

/**
 * An msw handler that finds out first, and cheaply, whether a request is for it. msw on its own would parse the URL
 * and the cookies of a request anew for each of a hundred handlers.
 */
class MockHandler extends HttpHandler {
  readonly #isFor: (request: Request) => boolean

  constructor(
    method: string | RegExp,
    route: string,
    isFor: (request: Request) => boolean,
    resolve: (info: { request: Request }) => Promise<Response>,
  ) {
    super(method, ({ request }) => isFor(request), resolve as ConstructorParameters<typeof HttpHandler>[2])
    this.#isFor = isFor
    // What msw's listing and its warnings show; to msw the route is only a predicate.
    this.info.header = route
  }

  override run(args: Parameters<HttpHandler['run']>[0]): ReturnType<HttpHandler['run']> {
    return this.#isFor(args.request) ? super.run(args) : notForThis
  }
}

/**
 * The service's answer such that msw keeps its cookies where a browser would; msw heeds only those of its own responses.
 * The `fetch` of Node keeps none.
 */
function withCookies(response: Response): Response {
  const isInPage = 'document' in globalThis
  return isInPage && response.headers.has('set-cookie') ? new HttpResponse(response.body, response) : response
}

const notForThis = Promise.resolve(null)

/**
 * Options for `server.listen()` and `worker.start()` that make an unhandled request an error, on msw 2 and 3 alike.
 */
export function listenOptions() {
  return { onUnhandledRequest: 'error', onUnhandledFrame: 'error' } as const
}

function parseBase(baseUrl: string): URL {
  const page = globalThis.location?.href
  if (URL.canParse(baseUrl, page)) return new URL(baseUrl, page)
  throw new MockError(
    'INVALID_OPTION',
    `createHandlers can't take the baseUrl "${baseUrl}".`,
    'Give a whole URL, such as https://flags.example.com/proxy.',
  )
}

/** The URL as the mock knows it, without the path that the base URL adds; undefined if it does not lie below. */
function innerUrl(url: string, base: URL): string | undefined {
  const given = new URL(url)
  const path = base.pathname.replace(/\/+$/, '')
  if (given.origin !== base.origin || !given.pathname.startsWith(`${path}/`)) return undefined
  return given.origin + given.href.slice(given.origin.length + path.length)
}
