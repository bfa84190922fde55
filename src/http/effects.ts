import { type Answer, isBodiless, toResponse } from './answer.js'

/**
 * How a door makes an answer real. Faults are abstract: what a broken connection is, only the door knows.
 * A door may leave any of these out; then the web-standard way is taken.
 */
export interface Delivery {
  /** The path as it was sent, where the URL of a `Request` has lost part of it: segments that are dots. */
  sentPath?: string
  /** Sends a plain answer; a door that can do it cheaper than by a `Response` does it here. */
  send?(answer: Answer): Response
  /** Breaks the connection before anything is answered. */
  reset?(): Response
  /** Sends the first half of an answer, then breaks the connection. */
  truncate?(answer: Answer): Response
  /** Is told that no answer will ever come, so that a door that stops need not wait for it. */
  hang?(): void
}

/** There is no answer: the connection broke, or the client gave up. What `fetch` rejects with is the reason. */
export class BrokenConnection {
  readonly reason: unknown
  constructor(reason: unknown) {
    this.reason = reason
  }
}

/** Delivers an answer, with what is to go wrong. Throws a `BrokenConnection` where none arrives. */
export function deliver(answer: Answer, request: Request, delivery: Delivery): Response | Promise<Response> {
  switch (answer.fault) {
    case undefined: {
      // What a browser asks for across origins passes through Hono's CORS middleware, which needs a response.
      const direct = request.headers.get('origin') === null ? delivery.send?.(answer) : undefined
      return direct ?? toResponse(answer)
    }
    case 'malformed':
      return toResponse({ ...answer, body: malformed(answer.body) })
    case 'hang':
      delivery.hang?.()
      return hang(request.signal)
    case 'truncate':
      // An answer without a body has no half.
      return isBodiless(answer.status) ? reset(delivery) : (delivery.truncate?.(answer) ?? truncated(answer))
    case 'reset':
      return reset(delivery)
  }
}

function reset(delivery: Delivery): Response {
  if (delivery.reset) return delivery.reset()
  throw new BrokenConnection(connectionReset())
}

/** Never settles, until the client gives up. */
function hang(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const giveUp = () => reject(new BrokenConnection(signal.reason))
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
  })
}

/** JSON that breaks off in the midst. */
function malformed(body: string | null): string {
  const text = body === null || body.length < 4 ? '{"name":"checkout-redesign","envir' : body
  return text.slice(0, Math.ceil(text.length / 2))
}

/** The first half of a body that promises more. */
export function firstHalf(body: string | null): { promised: number; bytes: Uint8Array } {
  const bytes = new TextEncoder().encode(body === null || body === '' ? '{"name":' : body)
  return { promised: bytes.length, bytes: bytes.slice(0, Math.max(1, Math.floor(bytes.length / 2))) }
}

function truncated(answer: Answer): Response {
  const { bytes } = firstHalf(answer.body)
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes)
    },
    pull(controller) {
      controller.error(connectionReset())
    },
  })
  return new Response(stream, { status: answer.status, headers: answer.headers })
}

/** What `fetch` of Node rejects with when the other side breaks the connection. */
function connectionReset(): TypeError {
  const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
  return new TypeError('fetch failed', { cause })
}
