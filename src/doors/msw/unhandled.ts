import { isCommonAssetRequest } from 'msw'
import { isServiceRequest, unmodelledRoute } from '../../http/unmodelled.js'
import { routes } from '../../mock/core.js'

/**
 * Options for `server.listen()` that make an unhandled request an error, in msw 2 and 3 alike. Below `/api`, the console
 * names the nearest route.
 */
export function listenOptions() {
  return {
    onUnhandledRequest(request: Request, print: { error(): void }): void {
      if (isCommonAssetRequest(request)) return
      explain(request)
      print.error()
    },
    onUnhandledFrame({ frame, defaults }: { frame: { data: unknown }; defaults: { error(): void } }): void {
      const { request } = frame.data as { request?: Request }
      if (request !== undefined && isCommonAssetRequest(request)) return
      if (request !== undefined) explain(request)
      defaults.error()
      throw request === undefined ? new TypeError('No handler takes this connection.') : Response.error()
    },
  }
}

function explain(request: Request): void {
  if (!isServiceRequest(request, routes)) return
  const { hint } = unmodelledRoute(request, '')
  // biome-ignore lint/suspicious/noConsole: it belongs right before msw's own message
  console.error(`[flagdouble] No handler answers ${request.method} ${request.url}.\n${hint}`)
}
