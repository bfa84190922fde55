import { invalidArgument } from '../../contract/arguments.js'
import { isObject } from '../../support/json.js'

const POLICIES: readonly unknown[] = ['bypass', 'warn', 'error', undefined]

/** Checks the options of `startWorker` that are not those of `createMock`. Throws `INVALID_ARGUMENT`. */
export function checkWorkerOptions(options: unknown): void {
  if (!isObject(options)) throw invalidArgument('startWorker', 'an object of options', options)
  const { handlers = [], unhandled, badge = false, quiet = false } = options
  if (!Array.isArray(handlers)) throw invalidArgument('The option handlers', 'a list of handlers', handlers)
  if (!POLICIES.includes(unhandled))
    throw invalidArgument('The option unhandled', '"bypass", "warn" or "error"', unhandled)
  if (typeof badge !== 'boolean') throw invalidArgument('The option badge', 'true or false', badge)
  if (typeof quiet !== 'boolean') throw invalidArgument('The option quiet', 'true or false', quiet)
}
