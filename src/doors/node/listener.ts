import type { Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { createApp } from '../../http/app.js'
import type { Arrival } from '../../http/service.js'
import type { Mock } from '../../mock/mock.js'
import { CORE } from '../../mock/session.js'
import type { Backend } from './backend.js'
import { deliverWith, type NodeBindings, sentPathOf } from './delivery.js'
import { answerFailure, malformed } from './malformed.js'
import { Outbox } from './outbox.js'

/** A request's own answer, if it gets one before the service is asked. */
export type Early = (
  request: Request,
  arrival: Arrival & NodeBindings,
) => Response | undefined | Promise<Response | undefined>

export interface ListenerOptions {
  /** The host in the URL of a request that names none. */
  hostname?: string | undefined
  /** Called with sockets whose response never ends: one that hangs, or an event stream. */
  onEndless?: ((socket: Socket) => void) | undefined
  early?: Early | undefined
  /** Where requests are passed on that are not for the service. */
  backend?: Backend | undefined
}

/** Answers the requests of a Node server, over HTTP/1.1 or HTTP/2, with or without TLS. */
export function createListener(mock: Mock, { hostname, onEndless, early, backend }: ListenerOptions = {}) {
  const app = createApp(mock[CORE].service, deliverWith({ outbox: new Outbox(), onEndless }))
  const answer = (request: Request, { incoming, outgoing }: NodeBindings) => {
    const relay = backend && (() => backend.ask(request.url, { incoming, outgoing }))
    const arrival = { incoming, outgoing, sentPath: sentPathOf(incoming), sentHeaders: incoming.rawHeaders, relay }
    if (hasCredentials(incoming.url)) return answerFailure(malformed('its address has a name and a password'))
    const first = early?.(request, arrival)
    if (first instanceof Promise) return first.then((response) => response ?? app.fetch(request, arrival))
    return first ?? app.fetch(request, arrival)
  }
  // Without overriding the globals: msw in the same process needs the real Request and Response.
  return getRequestListener((request, bindings) => answer(request, bindings as NodeBindings), {
    ...(hostname === undefined ? {} : { hostname }),
    overrideGlobalObjects: false,
    errorHandler: answerFailure,
  })
}

/** Whether the address of a request, which may be complete, says who asks. Nobody is to see that. */
function hasCredentials(url = ''): boolean {
  if (url.startsWith('/') || !URL.canParse(url)) return false
  const { username, password } = new URL(url)
  return username !== '' || password !== ''
}
