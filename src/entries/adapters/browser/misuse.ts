import { MockError } from '../../../engine/errors/mock-errors.js'
import { reasonOf } from '../../../support/errors.js'
import { sentence } from '../../../support/text.js'

/** Throws `NOT_READY` outside of a page. */
export function expectPage(call: string): void {
  if ('document' in globalThis) return
  throw new MockError(
    'NOT_READY',
    `${call} works only in the page of a browser.`,
    'In Node, use createHandlers from flagdouble/msw or startServer from flagdouble/node.',
  )
}

/** The reason why msw's worker can't start: its script is missing, or the browser doesn't trust the page's certificate. */
export function workerFault(error: unknown): MockError {
  return new MockError(
    'NOT_READY',
    `The page's worker can't start: ${sentence(reasonOf(error))}`,
    'Add its script to the public files (npx msw init public --save), or set serviceWorker.url to the URL of the script. Serve the page from localhost, or over HTTPS with a certificate that the browser trusts, such as a certificate from mkcert.',
  )
}
