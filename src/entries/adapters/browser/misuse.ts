import { invalidArgument } from '../../../service/contract/arguments.js'
import { MockError } from '../../../service/contract/mock-errors.js'
import { reasonOf } from '../../../support/errors.js'
import { isObject } from '../../../support/json.js'
import { sentence } from '../../../support/text.js'
import { expectHandling } from '../msw/unhandled.js'

/** Throws `NOT_READY` outside of a page. */
export function expectPage(call: string): void {
  if ('document' in globalThis) return
  throw new MockError(
    'NOT_READY',
    `${call} needs the page of a browser, and there is none here.`,
    'Call it in the browser only. In Node, use createHandlers of flagdouble/msw, or startServer of flagdouble/node.',
  )
}

/** Why msw's worker can't start: its script is missing, or the browser doesn't trust the page's certificate. */
export function workerFault(error: unknown): MockError {
  return new MockError(
    'NOT_READY',
    `The page's worker can't start: ${sentence(reasonOf(error))}`,
    'Put its script among the public files (npx msw init public --save), or name its place as serviceWorker.url. The page must be of localhost, or have a certificate that the browser trusts, such as one of mkcert.',
  )
}

/** Checks the options of `startWorker` that are not those of `createMock`. Throws `INVALID_ARGUMENT`. */
export function checkWorkerOptions(options: unknown): void {
  if (!isObject(options)) throw invalidArgument('startWorker', 'an object of options', options)
  expectHandling(options, ['bypass', 'warn', 'error'])
  const { badge = false, panel = false, quiet = false, keep = true } = options
  for (const [name, value] of Object.entries({ badge, panel, quiet, keep })) {
    if (typeof value !== 'boolean') throw invalidArgument(`The option ${name}`, 'true or false', value)
  }
}
