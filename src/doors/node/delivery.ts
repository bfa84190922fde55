import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Answer } from '../../http/answer.js'
import { type Delivery, firstHalf } from '../../http/effects.js'
import type { Outbox } from './outbox.js'

/** What @hono/node-server hands over along with a request. */
export interface NodeBindings {
  incoming: IncomingMessage
  outgoing: ServerResponse
}

/** What this door needs to answer requests by itself. */
export interface DirectAnswers {
  outbox: Outbox
  /** Is told of sockets that will never be done. */
  onEndless(socket: Socket): void
}

/** How this door makes answers and faults real: on the socket itself. */
export function answerDirectly({ incoming, outgoing }: NodeBindings, { outbox, onEndless }: DirectAnswers): Delivery {
  return {
    ...sentPath(incoming),
    send({ status, headers, body, compressible }) {
      if (compressible && body !== null && body.length >= WORTH_COMPRESSING && takesGzip(incoming)) {
        outgoing.writeHead(status, { ...headers, 'content-encoding': 'gzip' })
        outbox.end(outgoing, gzipSync(body))
        return RESPONSE_ALREADY_SENT
      }
      // A body that is text goes out in one write with the headers; as bytes it would take two.
      outgoing.writeHead(status, lengthOf(status, headers, body))
      outbox.end(outgoing, body)
      return RESPONSE_ALREADY_SENT
    },
    reset() {
      incoming.socket.resetAndDestroy()
      return RESPONSE_ALREADY_SENT
    },
    truncate({ status, headers, body }) {
      const { promised, bytes } = firstHalf(body)
      outgoing.writeHead(status, { ...headers, 'content-length': promised })
      outgoing.write(bytes, () => incoming.socket.destroy())
      return RESPONSE_ALREADY_SENT
    },
    hang: () => onEndless(incoming.socket),
  }
}

function sentPath({ url = '' }: IncomingMessage): Pick<Delivery, 'sentPath'> {
  return DOT_SEGMENT.test(url) ? { sentPath: url.replace(/[?#].*$/, '') } : {}
}

const DOT_SEGMENT = /^[^?#]*\/\.{1,2}([/?#]|$)/

/** Characters from which on it pays to compress a body. */
const WORTH_COMPRESSING = 800

function takesGzip({ headers }: IncomingMessage): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(String(headers['accept-encoding'] ?? ''))
}

function lengthOf(status: number, headers: Answer['headers'], body: string | null) {
  if (status === 204 || status === 304) return headers
  return { ...headers, 'content-length': body === null ? 0 : Buffer.byteLength(body) }
}
