import { operationIds } from '../api/operations.js'
import { callable, invalidArgument } from '../contract/arguments.js'
import { MockError } from '../contract/mock-errors.js'
import type { Journal, JournalEntry, JournalFilter } from '../sessions/journal.js'
import { isObject, show } from '../support/json-path.js'
import { didYouMean } from '../support/nearest.js'

/** The requests that were sent to the service. */
export interface MockRequests {
  all(): JournalEntry[]
  find(filter?: JournalFilter): JournalEntry[]
  count(filter?: JournalFilter): number
  /** Those that no operation answers. */
  unmatched(): JournalEntry[]
  clear(): void
}

export function createRequests(journal: () => Journal): MockRequests {
  return callable({
    all: () => journal().all(),
    find: (filter) => journal().find(checked(filter)),
    count: (filter) => journal().count(checked(filter)),
    unmatched: () => journal().find({ matched: false }),
    clear: () => journal().clear(),
  })
}

/**
 * Rejects a filter for an unknown operation. It would find nothing, and a test that expects nothing would pass for the
 * wrong reason. (Over HTTP, where the client may be of another version, it just finds nothing.)
 */
function checked(filter: JournalFilter = {}): JournalFilter {
  const given: unknown = filter
  if (!isObject(given)) throw invalidArgument('A search of the journal', 'a filter', given)
  const { operation } = filter
  if (operation === undefined || operationIds.includes(operation)) return filter
  throw new MockError(
    'INVALID_REQUEST',
    `There is no operation ${show(operation)}.${didYouMean(String(operation), operationIds)}`,
    '`operationIds` lists all of them.',
  )
}
