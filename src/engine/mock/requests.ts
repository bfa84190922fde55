import { operationIds } from '../../service/api/operations.js'
import { readInstant } from '../../support/calendar.js'
import { isObject, show } from '../../support/json.js'
import { didYouMean } from '../../support/nearest.js'
import { expectOptions, invalidArgument, withCallerStacks } from '../errors/arguments.js'
import { MockError } from '../errors/mock-errors.js'
import type { Journal, JournalEntry, JournalFilter } from '../sessions/journal.js'
import { LONGEST_WAIT, nextRequest, PATIENCE } from '../sessions/waiting.js'

/** The request journal of a session: its last requests to the mock, without those of the control API. */
export interface MockRequests {
  /** Copies of all entries, oldest first: at most the last 1,000, or `journalSize`. */
  all(): JournalEntry[]
  /**
   * Copies of the matching entries, oldest first; an empty list if there are none. Throws `INVALID_REQUEST` for an unknown
   * operation or field of the filter, or a date that doesn't exist.
   */
  find(filter?: JournalFilter): JournalEntry[]
  /** The number of matching entries. Throws as `find` does. */
  count(filter?: JournalFilter): number
  /** The requests that no operation handled, oldest first. */
  unmatched(): JournalEntry[]
  /**
   * The next matching request: after this call or, with `since`, after that. The timeout is in milliseconds (default: 5,000).
   * Rejects with `NOTHING_CAME`, which lists the other requests, after the timeout or at a reset, and as `find` throws.
   *
   * @example
   * const asked = mock.requests.waitFor({ operation: 'getAllClientFeatures' })
   * await app.refresh()
   * await asked
   */
  waitFor(filter?: JournalFilter, options?: WaitOptions): Promise<JournalEntry>
  /** Removes all entries. Later entries get higher IDs. */
  clear(): void
}

/** The options of `waitFor`. */
export interface WaitOptions {
  /** Milliseconds, up to 600,000. Default: 5,000. */
  timeout?: number | undefined
}

export function createRequests(journal: () => Journal): MockRequests {
  return withCallerStacks({
    all: () => journal().all(),
    find: (filter) => journal().find(checked(filter)),
    count: (filter) => journal().count(checked(filter)),
    unmatched: () => journal().find({ matched: false }),
    waitFor: async (filter, options = {}) => {
      expectOptions(options, 'requests.waitFor', ['timeout'])
      const { timeout = PATIENCE } = options
      if (typeof timeout !== 'number' || !(timeout >= 0 && timeout <= LONGEST_WAIT)) {
        throw invalidArgument('requests.waitFor', `a timeout of 0 to ${LONGEST_WAIT} milliseconds`, timeout)
      }
      return nextRequest(journal(), checked(filter), timeout)
    },
    clear: () => journal().clear(),
  })
}

/**
 * Rejects a filter for an unknown operation or a date that doesn't exist. It would find nothing, and a test that expects
 * no request would pass for the wrong reason. (Over HTTP, where the client can have another version, it just finds
 * nothing.)
 */
function checked(filter: JournalFilter = {}): JournalFilter {
  const given: unknown = filter
  if (!isObject(given))
    throw invalidArgument('A search of the journal', "a filter such as { operation: 'getFrontendFeatures' }", given)
  const { operation, since, method } = filter
  if (method !== undefined && !/^[A-Z]+$/.test(method))
    throw invalidArgument('The filter "method"', 'a method in capitals, such as "GET"', method)
  if (since !== undefined && typeof since !== 'number' && readInstant(since) === undefined) {
    throw new MockError(
      'INVALID_REQUEST',
      `The filter "since" takes a date or the id of an entry, not ${show(since)}.`,
      'Pass a date such as "2026-11-20T12:00:00Z".',
    )
  }
  for (const [name, type] of Object.entries({ status: 'number', matched: 'boolean' })) {
    const value = given[name]
    if (value !== undefined && typeof value !== type) {
      throw invalidArgument(`The filter "${name}"`, `a ${type}`, value)
    }
  }
  if (operation === undefined || operationIds.includes(operation)) return filter
  throw new MockError(
    'INVALID_REQUEST',
    `There is no operation ${show(operation)}.${didYouMean(String(operation), operationIds)}`,
    'docs/operations.md lists all of them, and so does `operationIds` of flagdouble.',
  )
}
