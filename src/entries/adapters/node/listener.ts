import { type IncomingMessage, STATUS_CODES } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { getRequestListener, RequestError } from '@hono/node-server'
import { MockError } from '../../../engine/errors/mock-errors.js'
import { type Answer, BrokenConnection, mockErrorAnswer, toMockError, toResponse } from '../../../engine/http/answer.js'
import { createApp } from '../../../engine/http/app.js'
import type { Arrival } from '../../../engine/http/call.js'
import { isLoopbackHost } from '../../../engine/http/senders.js'
import type { Mock } from '../../../engine/mock/mock.js'
import { CORE } from '../../../engine/mock/session.js'
import { createDelivery, type NodeBindings, sentPathOf } from './delivery.js'

/** Responds to a request that the web standard doesn't allow: with a backslash in the path, or an invalid Host. */
function answerFailure(error: unknown): Response {
  return toResponse(
    mockErrorAnswer(error instanceof RequestError ? malformedRequest(error.message) : toMockError(error)),
  )
}

/** Responds, on the bare socket, to data that Node can't parse as HTTP. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  socket.end(rawAnswer(mockErrorAnswer(unreadable(error))))
}

function unreadable({ code, message }: NodeJS.ErrnoException): MockError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new MockError(
        'HEADERS_TOO_LARGE',
        'The request headers are larger than 16 KiB.',
        'The usual cause is a large cookie. To raise the limit, set NODE_OPTIONS=--max-http-header-size=65536.',
      )
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new MockError(
        'REQUEST_TIMEOUT',
        'The request is incomplete.',
        'Send the whole body that the headers announce.',
      )
    default:
      return malformedRequest(message)
  }
}

/** The error for malformed HTTP. */
export function malformedRequest(reason: string): MockError {
  return new MockError(
    'MALFORMED_REQUEST',
    `The request is not well-formed HTTP: ${reason}.`,
    'Check its path and headers.',
  )
}

function rawAnswer({ status, headers, body }: Answer): string {
  const text = String(body ?? '')
  const all = { ...headers, 'content-length': Buffer.byteLength(text), connection: 'close' }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`
}

/** An early response to a request, before the mock handles it. */
export type Early = (
  request: Request,
  arrival: Arrival & NodeBindings,
) => Response | undefined | Promise<Response | undefined>

export interface ListenerOptions {
  /** The host in the URL of a request that names none. */
  hostname?: string | undefined
  early?: Early | undefined
}

/** Handles the requests of a Node server, over HTTP/1.1 or HTTP/2, with or without TLS. */
export function createListener(mock: Mock, { hostname, early }: ListenerOptions = {}) {
  const app = createApp(mock[CORE].service, createDelivery())
  const answer = (request: Request, { incoming, outgoing }: NodeBindings) => {
    const withBody = hasHiddenBody(incoming) ? () => withBodyOf(incoming, request) : undefined
    const arrival = { incoming, outgoing, sentPath: sentPathOf(incoming), sentHeaders: incoming.rawHeaders, withBody }
    const target = absoluteTarget(incoming)
    if (target !== undefined && hasCredentials(target)) {
      return answerFailure(malformedRequest('its URL contains a name and a password'))
    }
    if (target !== undefined && namesOtherHost(target, incoming)) return rejectHost(target.host)
    const first = early?.(request, arrival)
    if (first instanceof Promise) return first.then((response) => response ?? app.fetch(request, arrival))
    return first ?? app.fetch(request, arrival)
  }
  // Doesn't override the globals: msw in the same process needs the original Request and Response.
  return getRequestListener((request, bindings) => answer(request, bindings as NodeBindings), {
    ...(hostname === undefined ? {} : { hostname }),
    overrideGlobalObjects: false,
    // A client that is gone gets no response.
    errorHandler: (error) => (error instanceof BrokenConnection ? undefined : answerFailure(error)),
  })
}

/** Whether a request has a body that a standard `Request` of its method can't have. */
function hasHiddenBody({ method, headers }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && Number(headers['content-length'] ?? 0) > 0
}

function withBodyOf(incoming: IncomingMessage, { url, headers }: Request): Request {
  const init = { method: 'POST', headers, body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' }
  return new Request(url, init)
}

/** The URL of a request that names a complete URL in place of a path. */
function absoluteTarget({ url = '' }: IncomingMessage): URL | undefined {
  return url.startsWith('/') || !URL.canParse(url) ? undefined : new URL(url)
}

/** Whether a URL contains credentials. They must stay hidden. */
function hasCredentials({ username, password }: URL): boolean {
  return username !== '' || password !== ''
}

/** Whether a URL names another host than the header, which the server checks. All hosts of this machine are one. */
function namesOtherHost({ hostname }: URL, { headers: { host = '' } }: IncomingMessage): boolean {
  return !isLoopbackHost(hostname) && hostname !== host.toLowerCase().replace(/:\d+$/, '')
}

/**
 * Names outside of the public DNS: single labels, as of containers, names inside a network or a cluster, and reserved
 * names. Of Kubernetes' `service.namespace`, only the default namespace: others can be domains. IP addresses aren't names.
 */
const PRIVATE_NAME = /^([a-z0-9_-]+|.+\.(internal|local|lan|home\.arpa|test|svc|default|consul|localhost))$/

/**
 * The hosts that a request can name: this machine's, the bound host, IP addresses, private names, and allowed hosts. DNS
 * rebinding needs a name in the public DNS, and an attacking page would send its own name.
 */
export function createHostPolicy(bound: string, allowed: readonly string[]): (header: string | undefined) => boolean {
  const known = new Set([bound.toLowerCase(), ...allowed.map((host) => host.toLowerCase())])
  return (header) => {
    if (header === undefined) return false
    const host = header.toLowerCase()
    const name = host.replace(/:\d+$/, '')
    const plain = name.replace(/^\[|\]$/g, '')
    return known.has(host) || known.has(name) || known.has(plain) || isIP(plain) !== 0 || PRIVATE_NAME.test(name)
  }
}

export function rejectHost(host: string | undefined): Response {
  if (host === undefined) return toResponse(mockErrorAnswer(malformedRequest('the Host header is missing')))
  const error = new MockError(
    'HOST_NOT_ALLOWED',
    `Requests for the host "${host}" are not allowed.`,
    `Allow it with --allow-host ${host.replace(/:\d+$/, '')}, or the option allowHosts.`,
  )
  return toResponse(mockErrorAnswer(error))
}
