import { invalidArgument } from '../../../service/contract/arguments.js'
import { MockError } from '../../../service/contract/mock-errors.js'
import { isObject } from '../../../support/json.js'
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

/** Checks the options of `startWorker` that are not those of `createMock`. Throws `INVALID_ARGUMENT`. */
export function checkWorkerOptions(options: unknown): void {
  if (!isObject(options)) throw invalidArgument('startWorker', 'an object of options', options)
  expectHandling(options, ['bypass', 'warn', 'error'])
  const { badge = false, panel = false, quiet = false, keep = true } = options
  for (const [name, value] of Object.entries({ badge, panel, quiet, keep })) {
    if (typeof value !== 'boolean') throw invalidArgument(`The option ${name}`, 'true or false', value)
  }
}
