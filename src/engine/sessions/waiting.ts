import { within } from '../../support/clock.js'
import { MockError } from '../errors/mock-errors.js'
import { type Journal, type JournalEntry, type JournalFilter, lineOf } from './journal.js'

/** The default timeout in milliseconds. */
export const PATIENCE = 5000

/** The maximum timeout in milliseconds. */
export const LONGEST_WAIT = 600_000

/** The maximum requests in the list of those that don't match. */
const LISTED = 20

/**
 * The next request that matches a filter: after this call or, if the filter has `since`, after that. Rejects with
 * `NOTHING_CAME`, and the other requests, after a timeout, when the signal aborts, at a reset, and when a server of the
 * mock closes.
 */
export async function nextRequest(
  journal: Journal,
  filter: JournalFilter,
  timeout: number,
  signal?: AbortSignal,
): Promise<JournalEntry> {
  const known = filter.since === undefined ? undefined : journal.find(filter)[0]
  if (known !== undefined) return known
  const since = journal.lastId
  const stop = new AbortController()
  const signals = signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal])
  const next = journal.next(filter, signals).then((entry) => entry ?? 'before a reset, or the end of the server')
  const came = (await within(timeout, next)) ?? `within ${timeout} ms`
  stop.abort()
  if (typeof came === 'object') return came
  throw nothingCame(filter, came, journal.find({ since }))
}

function nothingCame(filter: JournalFilter, when: string, others: readonly JournalEntry[]): MockError {
  const shown = others.slice(-LISTED).map((entry) => `\n  ${lineOf(entry)}`)
  const heading = shown.length < others.length ? `the last ${LISTED} of ${others.length}` : others.length
  const instead = others.length === 0 ? 'No request arrived.' : `Other requests (${heading}):${shown.join('')}`
  return new MockError(
    'NOTHING_CAME',
    `No request that matches ${JSON.stringify(filter)} arrived ${when}. ${instead}`,
    'Only requests after the call (or after `since`) count. Start to wait before you trigger the request, or wait longer.',
  )
}
