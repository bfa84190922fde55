import { MockError } from '../contract/mock-errors.js'
import type { JournalFilter } from './journal.js'
import type { KeptEntry } from './journal-entry.js'

const FILTERS: readonly string[] = ['operation', 'method', 'path', 'scenario', 'status', 'matched']

/** Whether an entry matches a filter. Throws `INVALID_REQUEST` for an unknown filter. */
export function matcher(filter: JournalFilter): (entry: Readonly<KeptEntry>) => boolean {
  const { since, ...exact } = filter
  for (const name of Object.keys(exact)) if (!FILTERS.includes(name)) throw unknownFilter(name)
  const given = Object.entries(exact) as [keyof typeof exact, unknown][]
  const wanted = given.filter(([, value]) => value !== undefined)
  return (entry) => isSince(entry, since) && wanted.every(([key, value]) => entry[key] === value)
}

function isSince(entry: Readonly<KeptEntry>, since: JournalFilter['since']): boolean {
  if (since === undefined) return true
  return typeof since === 'number' ? entry.id > since : entry.time >= new Date(since).getTime()
}

function unknownFilter(name: string): MockError {
  return new MockError(
    'INVALID_REQUEST',
    `There is no filter "${name}".`,
    `The filters are ${FILTERS.join(', ')} and since.`,
  )
}
