import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { proxy } from 'hono/proxy'
import { MockError } from '../../../engine/errors/mock-errors.js'
import { BrokenConnection, mockErrorAnswer, toResponse } from '../../../engine/http/answer.js'
import type { Arrival } from '../../../engine/http/call.js'
import { isClaimed, isPathOfOrigin } from '../../../engine/http/routes.js'
import type { Mock } from '../../../engine/mock/mock.js'
import { CORE } from '../../../engine/mock/session.js'
import { reasonOf, systemCode } from '../../../support/errors.js'
import { createIds } from '../../../support/ids.js'
import { withoutTrailing } from '../../../support/text.js'
import type { NodeBindings } from './delivery.js'

/**
 * Forwards requests to an app's own backend. Undefined for requests that are for Unleash. Rejects with a
 * `BrokenConnection` if the client gives up.
 */
export function createBackend(url: URL, mock: Mock) {
  const { service } = mock[CORE]
  const base = url.origin + withoutTrailing(url.pathname, '/')
  // The name by which this server identifies itself to the backend, and detects a loop.
  const name = `1.1 flagdouble (${createIds().uuid()})`
  const pass = async (request: Request, { outgoing }: NodeBindings): Promise<Response> => {
    const via = request.headers.get('via')
    try {
      if (via?.includes(name)) throw new Error('it leads back to this server')
      const { origin, host, protocol, pathname, search } = new URL(request.url)
      const headers = new Headers(request.headers)
      for (const dropped of ['host', 'expect']) headers.delete(dropped)
      headers.set('x-forwarded-host', request.headers.get('host') ?? host)
      headers.set('x-forwarded-proto', protocol.slice(0, -1))
      headers.set('via', via === null ? name : `${via}, ${name}`)
      const { method, body, signal } = request
      const options = { redirect: 'manual', strictConnectionProcessing: true } as const
      const raw = { method, body, headers, signal } as Request
      const response = await proxy(base + pathname + search, { raw, ...options })
      const location = response.headers.get('location')
      if (location !== null && `${location}/`.startsWith(`${base}/`)) {
        const path = location.slice(base.length) || '/'
        response.headers.set('location', isPathOfOrigin(path) ? path : origin + path)
      }
      if (response.body === null) return response
      ;(outgoing as ServerResponse).setHeaders(response.headers).writeHead(response.status)
      // If the backend's response breaks off, so does this response.
      pipeline(response.body, outgoing as ServerResponse, () => undefined)
      return RESPONSE_ALREADY_SENT
    } catch (error) {
      if (request.signal.aborted) throw new BrokenConnection(error)
      const { cause = error } = error as Error
      const problem = `The backend ${url.href} did not respond: ${systemCode(cause) ?? reasonOf(cause)}.`
      const failure = new MockError('BACKEND_UNREACHABLE', problem, 'Start it, or correct the URL of --proxy.')
      return toResponse(mockErrorAnswer(failure))
    }
  }
  // Forwarding removes the segments that are dots, so they must not decide.
  return (request: Request, arrival: Arrival & NodeBindings): Promise<Response> | undefined =>
    isClaimed(service.locate(request)) ? undefined : pass(request, arrival)
}
