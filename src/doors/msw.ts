/**
 * The service as msw handlers: one for each operation, in the order of the table, and one for the control API.
 *
 * @module
 */
import { HttpHandler, HttpResponse } from 'msw'
import { operations } from '../api/operations.js'
import { MockError } from '../contract/mock-errors.js'
import { BrokenConnection } from '../http/deliver.js'
import type { MatchedBy } from '../http/service.js'
import { CORE, type MockSession, sessionOf } from '../mock/session.js'
import { withoutTrailing } from '../support/trim.js'

export interface HandlerOptions {
  /**
   * The start of the service's paths and of its links, such as `https://flags.example.com/proxy`. Default: paths at any
   * origin, links at the mock's own `baseUrl`.
   */
  baseUrl?: string | undefined
}

/** What handlers ask: a mock, or something that stands before one. */
export interface HandlerTarget {
  match(method: string, url: string): MatchedBy | undefined
  /** Rejects with a `BrokenConnection` where no response arrives. */
  respond(request: Request): Promise<Response>
}

/**
 * Handlers that answer as the mock does. A request that it does not model is left to msw.
 *
 * @example
 * const server = setupServer(...createHandlers(createMock()))
 * server.listen(listenOptions())
 */
export function createHandlers(mock: MockSession, { baseUrl }: HandlerOptions = {}): HttpHandler[] {
  const base = baseUrl === undefined ? undefined : parseBase(baseUrl)
  if (base !== undefined) mock[CORE].setDefaultBaseUrl(base.href)
  return handlersFor(targetOf(mock), base)
}

/** What handlers ask of a mock or of one of its sessions. */
export function targetOf(mock: MockSession): HandlerTarget {
  const core = mock[CORE]
  return {
    match: (method, url) => core.match(method, url),
    respond: async (request) => core.app.fetch(request, { session: sessionOf(mock) }),
  }
}

export function handlersFor(target: HandlerTarget, base?: URL): HttpHandler[] {
  const inner = (url: string) => (base === undefined ? url : innerUrl(url, base))
  const matches = new WeakMap<Request, MatchedBy | 'none'>()
  const matchOf = (request: Request) => {
    const known = matches.get(request)
    if (known !== undefined) return known
    const url = inner(request.url)
    const match = (url === undefined ? undefined : target.match(request.method, url)) ?? 'none'
    matches.set(request, match)
    return match
  }
  const resolve = async ({ request }: { request: Request }) => {
    const url = inner(request.url) ?? request.url
    try {
      return await target.respond(url === request.url ? request : new Request(url, request))
    } catch (error) {
      // Either the scenario breaks the connection, or the client gave up and nobody waits for a response.
      if (error instanceof BrokenConnection || request.signal.aborted) return HttpResponse.error()
      throw error
    }
  }
  const handlers = operations.map(({ id, method, path }) => {
    const isFor = (request: Request) => matchOf(request) === id && request.method === method
    return new MockHandler(method, `${method} ${path}`, isFor, async (info) => withCookies(await resolve(info)))
  })
  const isForOthers = (request: Request) => {
    const match = matchOf(request)
    return match === 'control' || match === 'otherMethod' || (match !== 'none' && request.method === 'HEAD')
  }
  return [...handlers, new MockHandler(/.+/, 'ALL /__mock/*, and other methods of known paths', isForOthers, resolve)]
}

/**
 * An msw handler that first finds out, cheaply, whether a request is for it. msw on its own would parse the URL and the
 * cookies of a request again for each of a hundred handlers.
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
    // Shown in msw's listing and warnings. To msw, the route is only a predicate.
    this.info.header = route
  }

  override run(args: Parameters<HttpHandler['run']>[0]): ReturnType<HttpHandler['run']> {
    return this.#isFor(args.request) ? super.run(args) : notForThis
  }
}

/**
 * A response whose cookies msw keeps where a browser would. msw only looks at those of its own responses. Node's `fetch`
 * keeps none.
 */
function withCookies(response: Response): Response {
  const isInPage = 'document' in globalThis
  return isInPage && response.headers.has('set-cookie') ? new HttpResponse(response.body, response) : response
}

const notForThis = Promise.resolve(null)

/** Options for `server.listen()` and `worker.start()` that make an unhandled request an error, in msw 2 and 3 alike. */
export function listenOptions() {
  return { onUnhandledRequest: 'error', onUnhandledFrame: 'error' } as const
}

function parseBase(baseUrl: string): URL {
  const page = globalThis.location?.href
  if (URL.canParse(baseUrl, page)) return new URL(baseUrl, page)
  throw new MockError(
    'INVALID_OPTION',
    `"${baseUrl}" is not a URL, so createHandlers can't take it as its baseUrl.`,
    'Give a complete URL, such as https://flags.example.com/proxy.',
  )
}

/** The URL without the path that the base URL adds. Undefined if it is not below it. */
function innerUrl(url: string, base: URL): string | undefined {
  const given = new URL(url)
  const path = withoutTrailing(base.pathname, '/')
  if (given.origin !== base.origin || !given.pathname.startsWith(`${path}/`)) return undefined
  return given.origin + given.href.slice(given.origin.length + path.length)
}
