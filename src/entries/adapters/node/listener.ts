import { type IncomingMessage, STATUS_CODES } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { getRequestListener, RequestError } from '@hono/node-server'
import { type Answer, BrokenConnection, mockErrorAnswer, toMockError, toResponse } from '../../../engine/http/answer.js'
import { createApp } from '../../../engine/http/app.js'
import type { Arrival } from '../../../engine/http/call.js'
import type { Mock } from '../../../engine/mock/mock.js'
import { CORE } from '../../../engine/mock/session.js'
import { MockError } from '../../../service/contract/mock-errors.js'
import { deliverBySocket, type NodeBindings, sentPathOf } from './delivery.js'

/** Answers what is not a request that the web standard knows: a path with a backslash, a Host that is none. */
function answerFailure(error: unknown): Response {
  return toResponse(mockErrorAnswer(error instanceof RequestError ? malformed(error.message) : toMockError(error)))
}

/** Answers, on the bare socket, what Node itself could not read as HTTP. */
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
      return malformed(message)
  }
}

/** What is not HTTP as it should be. */
export function malformed(reason: string): MockError {
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

/** A request's own answer, if it gets one before the service is asked. */
export type Early = (
  request: Request,
  arrival: Arrival & NodeBindings,
) => Response | undefined | Promise<Response | undefined>

export interface ListenerOptions {
  /** The host in the URL of a request that names none. */
  hostname?: string | undefined
  early?: Early | undefined
}

/** Answers the requests of a Node server, over HTTP/1.1 or HTTP/2, with or without TLS. */
export function createListener(mock: Mock, { hostname, early }: ListenerOptions = {}) {
  const app = createApp(mock[CORE].service, deliverBySocket)
  const answer = (request: Request, { incoming, outgoing }: NodeBindings) => {
    const arrival = { incoming, outgoing, sentPath: sentPathOf(incoming), sentHeaders: incoming.rawHeaders }
    if (hasCredentials(incoming.url)) return answerFailure(malformed('its URL contains a name and a password'))
    const first = early?.(request, arrival)
    if (first instanceof Promise) return first.then((response) => response ?? app.fetch(request, arrival))
    return first ?? app.fetch(request, arrival)
  }
  // Without overriding the globals: msw in the same process needs the real Request and Response.
  return getRequestListener((request, bindings) => answer(request, bindings as NodeBindings), {
    ...(hostname === undefined ? {} : { hostname }),
    overrideGlobalObjects: false,
    // A client that is gone gets no answer.
    errorHandler: (error) => (error instanceof BrokenConnection ? undefined : answerFailure(error)),
  })
}

/** Whether the address of a request, which may be complete, says who asks. Nobody is to see that. */
function hasCredentials(url = ''): boolean {
  if (url.startsWith('/') || !URL.canParse(url)) return false
  const { username, password } = new URL(url)
  return username !== '' || password !== ''
}

/**
 * Names that the public DNS doesn't have: of containers, which have one label, inside a network or a cluster, and reserved
 * ones. An address of IP isn't a name at all.
 */
const PRIVATE_NAME = /^([a-z0-9_-]+|.+\.(internal|local|test|svc|localhost))$/

/**
 * Which hosts a request may name: this machine's, the bound one, IP addresses, private names, and those that are allowed. DNS
 * rebinding needs a name in the public DNS, and a page that attacks so would name its own.
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

export function rejectHost({ headers: { host } }: IncomingMessage): Response {
  if (host === undefined) return toResponse(mockErrorAnswer(malformed('the Host header is missing')))
  const error = new MockError(
    'HOST_NOT_ALLOWED',
    `Requests for the host "${host}" are not allowed.`,
    `Allow it with --allow-host ${host.replace(/:\d+$/, '')}, or the option allowHosts.`,
  )
  return toResponse(mockErrorAnswer(error))
}
