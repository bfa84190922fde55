import type { HttpHandler as Handler } from 'msw'
import { BrokenConnection } from '../../../engine/http/answer.js'
import type { MatchedBy } from '../../../engine/http/call.js'
import { operations } from '../../../service/api/operations.js'
import { withoutStacks } from '../../../support/errors.js'
import { HttpHandler, HttpResponse } from './peer.js'

/** The target of handlers: a mock, or a layer in front of a mock. */
export interface HandlerTarget {
  match(method: string, url: string): MatchedBy | undefined
  /** Rejects with a `BrokenConnection` if no response arrives. */
  respond(request: Request): Promise<Response>
  /** Called for a request that is left to msw. Returns whether it looks like a request to Unleash. */
  leave?(request: Request, url: string): boolean
}

/** One handler for each operation, and one for the rest. */
export function handlersFor(target: HandlerTarget, inner: InnerUrl = itself): Handler[] {
  const { matchOf, resolve, leave } = createResolver(target, inner)
  const isForOthers = (request: Request) => {
    const match = matchOf(request)
    if (match === 'none') leave(request)
    return match === 'control' || match === 'otherMethod' || (match !== 'none' && request.method === 'HEAD')
  }
  // msw records the place where each handler was created, which takes longer than all the rest, and would always be here.
  return withoutStacks(() => [
    ...operations.map(({ id, method, path }) => {
      const isFor = (request: Request) => matchOf(request) === id && request.method === method
      return new MockHandler(method, `${method} ${path}`, isFor, resolve)
    }),
    new MockHandler(/.+/, 'ALL /__mock/*, and other methods of known paths', isForOthers, resolve),
  ])
}

/** A single handler for everything, if nobody reads the list of handlers. Creating it costs a hundredth. */
export function handlerFor(target: HandlerTarget): Handler {
  const { matchOf, resolve } = createResolver(target, itself)
  const isFor = (request: Request) => matchOf(request) !== 'none'
  return withoutStacks(() => new MockHandler(/.+/, 'ALL *', isFor, resolve))
}

interface Info {
  request: Request
}

/** Removes a base URL from a URL. Undefined outside of the base URL. */
type InnerUrl = (url: string) => string | undefined

const itself: InnerUrl = (url) => url

function createResolver(target: HandlerTarget, inner: InnerUrl) {
  const matches = new WeakMap<Request, MatchedBy | 'none'>()
  const matchOf = (request: Request) => {
    const known = matches.get(request)
    if (known !== undefined) return known
    const url = inner(request.url)
    const match = (url === undefined ? undefined : target.match(request.method, url)) ?? 'none'
    matches.set(request, match)
    return match
  }
  const leave = (request: Request) => {
    const url = inner(request.url)
    if (url !== undefined) target.leave?.(request, url)
  }
  const resolve = async ({ request }: Info) => {
    const url = inner(request.url) ?? request.url
    try {
      return await target.respond(url === request.url ? request : new Request(url, request))
    } catch (error) {
      // The scenario breaks the connection, or the client gave up and nobody waits for a response.
      if (error instanceof BrokenConnection || request.signal.aborted) return HttpResponse.error()
      throw error
    }
  }
  return { matchOf, resolve, leave }
}

/**
 * An msw handler that first checks, cheaply, whether it matches a request. Otherwise msw would parse the URL and the
 * cookies of a request again for each of a hundred handlers.
 */
class MockHandler extends HttpHandler {
  readonly #isFor: (request: Request) => boolean

  constructor(
    method: string | RegExp,
    route: string,
    isFor: (request: Request) => boolean,
    resolve: (info: Info) => Promise<Response>,
  ) {
    // msw accepts a predicate in place of the path only since 2.11.
    super(method, '*', resolve as ConstructorParameters<typeof HttpHandler>[2])
    this.#isFor = isFor
    // Shown in msw's listing and warnings.
    this.info.header = route
  }

  override run(args: Parameters<Handler['run']>[0]): ReturnType<Handler['run']> {
    return this.#isFor(args.request) ? super.run(args) : notForThis
  }

  /** Doesn't read the URL: msw would decode the path, and fail on malformed encoding. */
  override async parse(): ReturnType<Handler['parse']> {
    return { match: { matches: true, params: {} }, cookies: {} }
  }
}

const notForThis = Promise.resolve(null)
