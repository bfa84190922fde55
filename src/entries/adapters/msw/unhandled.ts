import type { HttpHandler } from 'msw'
import * as z from 'zod'
import { isOperation, isServiceRequest, nearestRouteHint } from '../../../engine/http/unknown.js'
import { expectFitting } from '../../../engine/mock/options.js'
import { expectMock } from '../../../engine/mock/recognize.js'
import { CORE, type MockSession } from '../../../engine/mock/session.js'
import { HttpResponse, http, passthrough } from './peer.js'

export const unhandledSchema = z.enum(['error', 'warn', 'bypass'])

/** The handling of a request that no handler matches. */
export type Unhandled = z.infer<typeof unhandledSchema>

/** Handlers of the user. The declarations of types can't name msw's type of them. */
export const handlersSchema = z.array(z.unknown())

export interface UnhandledOptions {
  /**
   * `error`: the request fails, and the console gives the reason. `warn` and `bypass` send it to the network, with or
   * without a warning. Default: `error`.
   */
  unhandled?: Unhandled | undefined
}

const optionsSchema = z
  .strictObject({ unhandled: unhandledSchema } satisfies Record<keyof UnhandledOptions, z.ZodType>)
  .partial()

/**
 * Options for `server.listen()`, of msw 2 and 3 alike, for requests that no handler matches. For a request to Unleash, the console names the nearest route. Assets, such as scripts and images of a page, pass.
 *
 * @example
 * server.listen(listenOptions(mock, { unhandled: 'bypass' }))
 */
export function listenOptions(mock?: MockSession, options: UnhandledOptions = {}) {
  if (mock !== undefined) expectMock(mock, 'listenOptions')
  const { unhandled = 'error' } = expectFitting(optionsSchema, options, 'listenOptions')
  const basePath = mock?.[CORE].basePath
  const treat = (request: Request | undefined, print: Print): Promise<never> | undefined => {
    if (unhandled === 'bypass' || (request !== undefined && isAsset(request, basePath))) return undefined
    if (unhandled === 'error') return fail(request, print, basePath)
    if (request !== undefined) tell('warn', request, basePath)
    return undefined
  }
  return {
    // msw 2.
    onUnhandledRequest: treat,
    // msw 3.
    onUnhandledFrame({ frame, defaults }: { frame: { data: unknown }; defaults: Print }): Promise<never> | undefined {
      return treat((frame.data as { request?: Request }).request, defaults)
    },
  }
}

/**
 * The last handler, for requests that no other handler matches: an error, except for assets. A page's worker needs it,
 * because msw itself turns an error into a response with the status 500.
 */
export function rejectUnhandled(): HttpHandler {
  return http.all('*', ({ request }) => {
    if (isAsset(request)) return passthrough()
    tell('error', request)
    return HttpResponse.error()
  })
}

/** msw's functions that print an error. Before 2.12 they also throw, and don't await a returned promise. */
interface Print {
  error(): void | Promise<void>
}

function fail(request: Request | undefined, print: Print, basePath?: string): Promise<never> {
  const reason = failure(request)
  if (request !== undefined && hintFor(request, basePath) !== '') {
    // More helpful than msw's own text.
    tell('error', request, basePath)
    throw reason
  }
  let printed: void | Promise<void>
  try {
    printed = print.error()
  } catch {
    // An error that msw throws would end the process of a client that uses Node's own `http`.
    throw reason
  }
  return Promise.resolve(printed).then(() => Promise.reject(reason))
}

const LOCAL = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/]/

const ASSET =
  /\.(?:css|less|scss|html|[cm]?[jt]sx?|json|map|txt|xml|md|csv|wasm|ttf|otf|eot|woff2?|gif|jpe?g|png|avif|webp|svg|ico|mp[34]|webm|ogg|mov|wav|flac|aac|pdf|zip)$/i

/** Whether a request is for a file of a page. msw also has such a function, since 2.7. But an Unleash path can end in `.json`. */
export function isAsset(request: Request, basePath?: string): boolean {
  if (isServiceRequest(request, basePath)) return false
  const { protocol, pathname } = new URL(request.url)
  return protocol === 'file:' || /\/(?:node_modules|@vite)\//.test(pathname) || ASSET.test(pathname)
}

/** msw's result: a network error for a response; an event of the WebSocket for an error. */
function failure(request: Request | undefined): Response | TypeError {
  const isWebSocket = request === undefined || /^wss?:/.test(request.url)
  return isWebSocket ? new TypeError('No handler matches this connection.') : Response.error()
}

/** The reason why no handler matches a request. */
export function describeUnhandled(request: Request, basePath?: string): string {
  return `No handler matches ${request.method} ${request.url}.${hintFor(request, basePath)}`
}

/** A hint for a request that looks like a request to Unleash, also behind the path of a proxy. */
function hintFor(request: Request, basePath?: string): string {
  const { url } = request
  const own = LOCAL.test(url) ? " If this is your own app, as with supertest, set `unhandled: 'bypass'`." : ''
  if (isServiceRequest(request, basePath)) return ` ${nearestRouteHint(request, basePath)}${own}`
  if (isOperation(request)) {
    return ` If this is a request to Unleash, set \`baseUrl: '${new URL(url).origin}'\`, because an app can have this path too.${own}`
  }
  const [base] = /^[^?#]*?(?=\/api\/(?:admin|client|frontend)(?:[/?]|$))/.exec(url) ?? []
  return base === undefined ? own : ` If this path belongs to Unleash, set \`baseUrl: '${base}'\`.`
}

function tell(level: 'warn' | 'error', request: Request, basePath?: string): void {
  // biome-ignore lint/suspicious/noConsole: a client says only that its request failed
  console[level](`[flagdouble] ${describeUnhandled(request, basePath)}`)
}
