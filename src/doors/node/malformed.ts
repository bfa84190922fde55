import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { RequestError } from '@hono/node-server'
import { MockError } from '../../contract/mock-errors.js'
import { type Answer, toResponse } from '../../http/answer.js'
import { mockErrorAnswer, toMockError } from '../../http/mock-answer.js'

/** Answers what is not a request that the web standard knows: a path with a backslash, a Host that is none. */
export function answerFailure(error: unknown): Response {
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
        'The headers of the request are over 16 KiB.',
        'A large cookie is the usual reason; Node takes more with NODE_OPTIONS=--max-http-header-size=65536.',
      )
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new MockError('REQUEST_TIMEOUT', 'The request did not come to its end.', 'Send all that it announces.')
    default:
      return malformed(message)
  }
}

/** What is not HTTP as it should be. */
export function malformed(reason: string): MockError {
  return new MockError(
    'MALFORMED_REQUEST',
    `The request is not well-formed HTTP: ${reason}.`,
    'Look at its path and headers; most clients never send such a request.',
  )
}

function rawAnswer({ status, headers, body }: Answer): string {
  const text = String(body ?? '')
  const all = { ...headers, 'content-length': Buffer.byteLength(text), connection: 'close' }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`
}
