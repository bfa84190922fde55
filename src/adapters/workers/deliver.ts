import { toResponse } from '../../http/answer.js'
import type { Deliver } from '../../http/app.js'
import { toWebResponse } from '../../http/deliver.js'
import { sleep } from '../../support/clock.js'

/** Milliseconds that an answer hangs. The runtime ends requests that nothing will answer. */
const HANGS = 60_000

/**
 * A worker can't break a connection: a proxy is in between. A reset is a 502, a hanging answer ends as a 504, and a
 * truncated body ends where it breaks off.
 */
export const deliverByProxy: Deliver = async (answer, { req: { raw } }) => {
  switch (answer.fault) {
    case 'reset':
      return toResponse({ status: 502, headers: withoutBody(answer.headers), body: null })
    case 'hang':
      await sleep(HANGS, raw.signal).catch(() => undefined)
      return toResponse({ status: 504, headers: withoutBody(answer.headers), body: null })
    case 'truncate':
      return toWebResponse({ ...answer, fault: 'malformed' }, raw)
    default:
      return toWebResponse(answer, raw)
  }
}

function withoutBody({ 'content-type': _, ...headers }: Record<string, string>): Record<string, string> {
  return headers
}
