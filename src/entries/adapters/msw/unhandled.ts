import { type HttpHandler, HttpResponse, http, isCommonAssetRequest, passthrough } from 'msw'
import { isServiceRequest, nearestRouteHint } from '../../../engine/http/unknown.js'
import { invalidArgument } from '../../../service/contract/arguments.js'

/**
 * Options for `server.listen()` that make an unhandled request an error, in msw 2 and 3 alike. For one to the service,
 * the console names the nearest route. Assets, such as scripts and images of a page, are let through, as by msw's own
 * `error`.
 */
export function listenOptions() {
  return {
    // msw 2.
    onUnhandledRequest(request: Request, print: Print): Promise<never> | undefined {
      return isAsset(request) ? undefined : fail(request, print)
    },
    // msw 3.
    onUnhandledFrame({ frame, defaults }: { frame: { data: unknown }; defaults: Print }): Promise<never> | undefined {
      const { request } = frame.data as { request?: Request }
      return request !== undefined && isAsset(request) ? undefined : fail(request, defaults)
    },
  }
}

/**
 * The last handler, for what no other one answers: an error, but for assets. A page's worker needs it: to what msw itself
 * makes an error, it answers with the status 500.
 */
export function rejectUnhandled(): HttpHandler {
  return http.all('*', ({ request }) => {
    if (isAsset(request)) return passthrough()
    explain(request)
    return HttpResponse.error()
  })
}

/** Throws `INVALID_ARGUMENT` for handlers that are no list, and for what is none of the three ways to treat other requests. */
export function expectHandling(
  { handlers = [], unhandled }: { handlers?: unknown; unhandled?: unknown },
  policies: readonly [unknown, unknown, unknown],
): void {
  if (!Array.isArray(handlers)) throw invalidArgument('The option handlers', 'a list of handlers', handlers)
  if (unhandled === undefined || policies.includes(unhandled)) return
  const [first, second, last] = policies
  throw invalidArgument('The option unhandled', `"${first}", "${second}" or "${last}"`, unhandled)
}

/** What msw brings to print an error. Until 2.12 it throws as well, and waits for nothing that is returned. */
interface Print {
  error(): void | Promise<void>
}

function fail(request: Request | undefined, print: Print): Promise<never> {
  const reason = failure(request)
  if (request !== undefined && isServiceRequest(request)) {
    // It says all that msw's own text would.
    explain(request)
    throw reason
  }
  let printed: void | Promise<void>
  try {
    printed = print.error()
  } catch {
    // What msw throws ends the process of a client that uses Node's own `http`.
    throw reason
  }
  return Promise.resolve(printed).then(() => Promise.reject(reason))
}

/** A path of the service may well end in `.json`. */
function isAsset(request: Request): boolean {
  return isCommonAssetRequest(request) && !isServiceRequest(request)
}

/** What msw makes of it: for a response, a network error; for an error, an event of the WebSocket. */
function failure(request: Request | undefined): Response | TypeError {
  const isWebSocket = request === undefined || /^wss?:/.test(request.url)
  return isWebSocket ? new TypeError('No handler takes this connection.') : Response.error()
}

function explain(request: Request): void {
  const hint = isServiceRequest(request) ? `\n${nearestRouteHint(request)}` : ''
  // biome-ignore lint/suspicious/noConsole: a client says only that its request failed
  console.error(`[flagdouble] No handler answers ${request.method} ${request.url}.${hint}`)
}
