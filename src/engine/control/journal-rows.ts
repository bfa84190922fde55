import { type OperationId, operationIds } from '../../service/api/operations.js'
import { readInstant } from '../../support/calendar.js'
import { show } from '../../support/json.js'
import { didYouMean } from '../../support/nearest.js'
import { MockError } from '../errors/mock-errors.js'
import { BrokenConnection, hintHeader, jsonAnswer, textAnswer } from '../http/answer.js'
import type { JournalEntry, JournalFilter } from '../sessions/journal.js'
import { LONGEST_WAIT, nextRequest } from '../sessions/waiting.js'
import { requestAsCurl } from './curl-text.js'
import { acts, type ControlCall, type ControlRow, row } from './row.js'
import { requestAsTest } from './vitest-text.js'

/** The filters, each with its parser. */
const filters = {
  operation: (text: string) => text as OperationId,
  status: wholeNumber,
  matched: yesOrNo,
  since: (text: string) => (/^\d+$/.test(text) ? Number(text) : instant(text)),
  ids: (text: string) => new Set(text.split(',').map((id) => wholeNumber(id.trim(), 'ids'))),
}

/** The formats in which a user can copy a request. */
const formats = { vitest: requestAsTest, curl: requestAsCurl }

export const journalRows: readonly ControlRow[] = [
  row('GET', '/requests', {
    summary:
      'The request journal, newest last; filters: operation, status, matched, since, ids. With `wait=MILLISECONDS`, waits for the next matching request and returns it; with `format=vitest` or `format=curl`, returns a test or a command that repeats the newest matching request',
    query: [...Object.keys(filters), 'format', 'wait'],
    async run(call) {
      const { session, query } = call
      const write = formatIn(query)
      const wait = query.get('wait')
      const { ids, ...filter } = filtersIn(query)
      const found = wait === null ? session.journal.find(filter) : [await waited(call, filter, wait)]
      const entries = ids === undefined ? found : found.filter(({ id }) => ids.has(id))
      if (write === undefined) return jsonAnswer(200, entries, hintHeader(hintOn(filter)))
      const newest = entries.at(-1)
      if (newest === undefined) throw nothingToCopy()
      return textAnswer(200, 'text/plain', write(newest, call))
    },
  }),
  acts('DELETE', '/requests', 'Clear the request journal', ({ session }) => session.journal.clear()),
]

/** The next matching request. Rejects with `NOTHING_CAME`, or a `BrokenConnection` if the client gives up. */
async function waited({ session, request }: ControlCall, filter: JournalFilter, wait: string): Promise<JournalEntry> {
  const timeout = wholeNumber(wait, 'wait')
  if (timeout > LONGEST_WAIT) throw invalidFilter(`"wait" takes at most ${LONGEST_WAIT} milliseconds.`)
  const unknown = hintOn(filter)
  if (unknown !== undefined) throw invalidFilter(unknown)
  try {
    return await nextRequest(session.journal, filter, timeout, request.signal)
  } catch (error) {
    throw request.signal.aborted ? new BrokenConnection(request.signal.reason) : error
  }
}

function formatIn(query: URLSearchParams) {
  const format = query.get('format') ?? 'json'
  if (format === 'json') return undefined
  if (format === 'vitest' || format === 'curl') return formats[format]
  throw new MockError(
    'INVALID_REQUEST',
    `There is no format ${show(format)}.`,
    'The formats are json, vitest and curl.',
  )
}

function filtersIn(query: URLSearchParams): JournalFilter & { ids?: ReadonlySet<number> } {
  const given = [...query].flatMap(([name, text]) => (isFilter(name) ? [[name, filters[name](text, name)]] : []))
  return Object.fromEntries(given)
}

function isFilter(name: string): name is keyof typeof filters {
  return Object.hasOwn(filters, name)
}

/** An unknown operation finds nothing, because the client can be newer; a header says so. */
function hintOn({ operation }: JournalFilter): string | undefined {
  if (operation === undefined || operationIds.includes(operation)) return undefined
  return `There is no such operation.${didYouMean(operation, operationIds)}`
}

function wholeNumber(text: string, name: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  throw invalidFilter(`The filter "${name}" takes a whole number, not "${text}".`)
}

function yesOrNo(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  throw invalidFilter(`The filter "matched" takes true or false, not "${text}".`)
}

function instant(text: string): string {
  if (readInstant(text) !== undefined) return text
  throw invalidFilter(`The filter "since" takes a date-time or the id of an entry, not "${text}".`)
}

function nothingToCopy(): MockError {
  const hint = 'Send the request first, or ask for the journal without `format` to see the requests that came.'
  return new MockError('INVALID_REQUEST', 'The journal has no matching request.', hint)
}

function invalidFilter(message: string): MockError {
  return new MockError('INVALID_REQUEST', message, `The filters are ${Object.keys(filters).join(', ')}.`)
}
