/**
 * The service as msw handlers: one for each operation, in the order of the table, and one for the control API.
 *
 * @module
 */
import { type HttpHandler, HttpResponse, http } from 'msw'
import type { OperationRow } from '../contract/operations.js'
import { operations } from '../contract/operations.js'
import type { MockSession } from '../control/mock-session.js'
import type { Delivery } from '../http/effects.js'
import type { Target } from '../http/match.js'

export interface HandlerOptions {
  /** Where the service's paths begin, such as `https://flags.example.com/proxy`. Default: at any origin. */
  baseUrl?: string | undefined
}

/** What handlers need of a mock, or of one of its sessions. */
export type HandledMock = Pick<MockSession, 'fetch' | 'match'>

const delivery: Delivery = { reset: () => HttpResponse.error() }

/**
 * Handlers that answer as the mock does. A request that it does not model is left to msw.
 *
 * @example
 * const server = setupServer(...createHandlers(createMock()))
 * server.listen(listenOptions())
 */
export function createHandlers(mock: HandledMock, { baseUrl }: HandlerOptions = {}): HttpHandler[] {
  const inner = (url: string) => (baseUrl === undefined ? url : innerUrl(url, baseUrl))
  const isFor = (wanted: (target: Target, request: Request) => boolean) => (info: { request: Request }) => {
    const url = inner(info.request.url)
    const target = url === undefined ? undefined : mock.match(info.request.method, url)
    return target !== undefined && wanted(target, info.request)
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
    const register = http[method.toLowerCase() as Lowercase<typeof method>]
    const predicate = isFor((target, request) => target === id && request.method === method)
    return named(register(predicate, resolve), `${method} ${path}`)
  })
  const others = isFor((target, { method }) => target === 'control' || target === 'otherMethod' || method === 'HEAD')
  return [...handlers, named(http.all(others, resolve), 'ALL /__mock/*, and other methods of known paths')]
}

/**
 * Options for `server.listen()` and `worker.start()` that make an unhandled request an error, on msw 2 and 3 alike.
 */
export function listenOptions() {
  return { onUnhandledRequest: 'error', onUnhandledFrame: 'error' } as const
}

/** Shows a handler by its route in msw's own listing and warnings; msw knows it only as a predicate. */
function named(handler: HttpHandler, header: string): HttpHandler {
  handler.info.header = header
  return handler
}

/** The URL as the mock knows it, without the path that the base URL adds; undefined if it does not lie below. */
function innerUrl(url: string, baseUrl: string): string | undefined {
  const base = new URL(baseUrl, globalThis.location?.href)
  const given = new URL(url)
  const path = base.pathname.replace(/\/+$/, '')
  if (given.origin !== base.origin || !given.pathname.startsWith(`${path}/`)) return undefined
  return given.origin + given.href.slice(given.origin.length + path.length)
}
