import type { Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { createApp } from '../../http/app.js'
import type { Arrival } from '../../http/service.js'
import type { Mock } from '../../mock/mock.js'
import { CORE } from '../../mock/session.js'
import { deliverWith, type NodeBindings, sentPathOf } from './delivery.js'
import { answerFailure } from './malformed.js'
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
  backend?: URL | undefined
}

/** Answers the requests of a Node server, over HTTP/1.1 or HTTP/2, with or without TLS. */
export function createListener(mock: Mock, { hostname, onEndless, early, backend }: ListenerOptions = {}) {
  const app = createApp(mock[CORE].service, deliverWith({ outbox: new Outbox(), onEndless }))
  const answer = (request: Request, { incoming, outgoing }: NodeBindings) => {
    const arrival = { incoming, outgoing, sentPath: sentPathOf(incoming), sentHeaders: incoming.rawHeaders, backend }
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
