import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Answer, firstHalf, isBodiless, malformed, toResponse } from '../../../engine/http/answer.js'
import type { AppContext, Deliver } from '../../../engine/http/app.js'
import { drain } from '../../../engine/http/body.js'
import { rawPath } from '../../../engine/http/routes.js'
import { endless } from './close.js'

/** The bindings of @hono/node-server for a request. */
export type NodeBindings = HttpBindings

/** Sends the responses of a server, and simulates faults, directly on the socket. */
export function createDelivery(): Deliver {
  const end = createOutbox()
  return (answer, c) => deliverBySocket(answer, c, end)
}

/** Ends a response, whose head has been written, with its body. */
type End = (outgoing: ServerResponse, body: string | Uint8Array | null) => void

function deliverBySocket(answer: Answer, c: AppContext, end: End): Response | Promise<Response> {
  const { incoming, outgoing } = c.env as NodeBindings
  switch (answer.fault) {
    case 'reset':
      reset(incoming.socket)
      return RESPONSE_ALREADY_SENT
    case 'hang':
      endless.add(incoming.socket)
      return new Promise(() => undefined)
    case 'truncate':
      if (isBodiless(answer.status)) reset(incoming.socket)
      else sendFirstHalf(answer, outgoing, incoming.socket)
      return RESPONSE_ALREADY_SENT
    case 'malformed':
      return toResponse({ ...answer, body: malformed(answer.body) })
    case undefined:
  }
  if (answer.body instanceof ReadableStream) {
    endless.add(incoming.socket)
    return toResponse(answer)
  }
  if (isSentStill(incoming, c.req.raw)) return toResponse(lingering(answer, answer.body, c.req.raw))
  // Hono's CORS middleware adds its headers to a `Response`.
  if (incoming.headers.origin !== undefined || answer.cookies !== undefined) return toResponse(answer)
  send(answer, answer.body, { incoming, outgoing }, end)
  return RESPONSE_ALREADY_SENT
}

/** Breaks the connection. Node resets only bare TCP: a TLS connection ends without notice, and an HTTP/2 stream is reset. */
function reset(socket: Socket): void {
  if ('encrypted' in socket) socket.destroy()
  else socket.resetAndDestroy()
}

function send(
  { status, headers, compressible }: Answer,
  body: string | null,
  { incoming, outgoing }: NodeBindings,
  end: End,
): void {
  if (compressible && body !== null && body.length >= WORTH_COMPRESSING && acceptsGzip(incoming)) {
    outgoing.writeHead(status, { ...headers, 'content-encoding': 'gzip' })
    end(outgoing, gzipSync(body))
    return
  }
  // A text body goes out in one write with the headers; bytes would take two.
  if (status !== 204 && status !== 304) headers['content-length'] = String(body === null ? 0 : Buffer.byteLength(body))
  outgoing.writeHead(status, headers)
  end(outgoing, body)
}

/** The bytes of a body that @hono/node-server reads and drops by itself, unless a part has been read already. */
const DROPPED = 100 * 1024

/** Whether a client is still sending a long body that nobody will read, whatever the response. */
function isSentStill({ complete, httpVersionMajor, headers }: IncomingMessage, request: Request): boolean {
  if (complete || httpVersionMajor !== 1) return false
  const { 'content-length': length = '0', 'transfer-encoding': coding } = headers
  return Number(length) > DROPPED || (coding !== undefined && request.bodyUsed)
}

/** A response that goes out at once, and whose connection ends when the client has stopped sending. */
function lingering(answer: Answer, text: string | null, request: Request): Answer {
  const bytes = Buffer.from(text ?? '')
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(bytes),
    async pull(controller) {
      await drain(request)
      controller.close()
    },
  })
  return { ...answer, headers: { ...answer.headers, 'content-length': `${bytes.length}`, connection: 'close' }, body }
}

function sendFirstHalf(answer: Answer, outgoing: ServerResponse, socket: Socket): void {
  const { status, headers, body, cookies = [] } = answer
  const { promised, bytes } = firstHalf(body)
  for (const cookie of cookies) outgoing.appendHeader('set-cookie', cookie)
  outgoing.writeHead(status, { ...headers, 'content-length': promised })
  outgoing.write(bytes, () => socket.destroy())
}

/** The minimum length for which compressing a body is worth the time. */
const WORTH_COMPRESSING = 800

function acceptsGzip({ headers }: IncomingMessage): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(String(headers['accept-encoding'] ?? ''))
}

const DOT_SEGMENT = /^[^?#]*\/(\.|%2e){1,2}([/?#]|$)/i

/** The path as sent, because the URL of the `Request` loses a part of it. */
export function sentPathOf({ url = '' }: IncomingMessage): string | undefined {
  const mayHaveDots = url.includes('.') || url.includes('%')
  return mayHaveDots && DOT_SEGMENT.test(url) ? rawPath(url) : undefined
}

/**
 * Ends the responses of one turn of the event loop together, at its end. A client that gets the first of ten responses at
 * once would wake up for it and sleep again before the second; ten wake-ups take half of the time of ten responses.
 */
function createOutbox(): End {
  let waiting: { outgoing: ServerResponse; body: string | Uint8Array | null }[] = []
  const flush = () => {
    const responses = waiting
    waiting = []
    for (const { outgoing, body } of responses) outgoing.end(body ?? undefined)
  }
  return (outgoing, body) => {
    if (waiting.length === 0) setImmediate(flush)
    waiting.push({ outgoing, body })
  }
}
