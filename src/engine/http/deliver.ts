import { type Answer, isBodiless, toResponse } from './answer.js'

/** There is no answer: the connection broke, or the client gave up. `fetch` rejects with the reason. */
export class BrokenConnection {
  readonly reason: unknown
  constructor(reason: unknown) {
    this.reason = reason
  }
}

/**
 * Turns an answer, with what is to go wrong on the way, into a web-standard response. Throws or rejects with a
 * `BrokenConnection` where none arrives.
 */
export function toWebResponse(answer: Answer, request: Request): Response | Promise<Response> {
  switch (answer.fault) {
    case undefined:
      return toResponse(answer)
    case 'malformed':
      return toResponse({ ...answer, body: malformed(answer.body) })
    case 'hang':
      return hang(request.signal)
    case 'truncate':
      // An answer without a body has no half.
      if (isBodiless(answer.status)) throw new BrokenConnection(connectionReset())
      return truncated(answer)
    case 'reset':
      throw new BrokenConnection(connectionReset())
  }
}

/** Never settles until the client gives up. */
function hang(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const giveUp = () => reject(new BrokenConnection(signal.reason))
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
  })
}

/** JSON that breaks off in the middle. */
export function malformed(body: Answer['body']): string {
  const text = typeof body === 'string' && body.length >= 4 ? body : '{"name":"checkout-redesign","envir'
  return text.slice(0, Math.ceil(text.length / 2))
}

/** The first half of a body that promises more. */
export function firstHalf(body: Answer['body']): { promised: number; bytes: Uint8Array } {
  const bytes = new TextEncoder().encode(typeof body === 'string' && body !== '' ? body : '{"name":')
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
  return toResponse({ ...answer, body: stream })
}

/** The error that Node's `fetch` rejects with when the other side breaks the connection. */
function connectionReset(): TypeError {
  const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
  return new TypeError('fetch failed', { cause })
}
