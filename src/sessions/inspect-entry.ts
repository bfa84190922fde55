import { INSPECT, type Inspect, inspectedBy, onLine, onScreen } from '../support/inspect.js'
import type { JournalEntry } from './journal.js'

/** Characters of a body that are shown in a list. */
const WIDTH = 110

/** Entries of a list that are shown, each on up to three lines. */
const LISTED = 12

/** An entry alone is printed with everything, among others in brief. */
const entryPrint = inspectedBy<JournalEntry>((entry, options, inspect) =>
  options.isAlone ? onScreen({ ...entry }, options, inspect) : brief(entry, options, inspect),
)

/** A list is printed in brief, the newest entries last. */
const listPrint = inspectedBy<JournalEntry[]>((entries, options, inspect) => {
  const shown = entries.slice(-LISTED).map((entry) => indented(brief(entry, options, inspect)))
  const left = entries.length - shown.length
  const earlier = left === 0 ? [] : [`  … ${left} earlier`]
  return entries.length === 0 ? '[]' : ['[', ...earlier, ...shown, ']'].join('\n')
})

/** Has consoles print an entry so that people can read it. It stays as it is for everybody else. */
export function inspectableEntry(entry: JournalEntry): JournalEntry {
  return Object.defineProperty(entry, INSPECT, entryPrint)
}

/** The same for a list of entries. */
export function inspectableEntries(entries: JournalEntry[]): JournalEntry[] {
  return Object.defineProperty(entries, INSPECT, listPrint)
}

/** An entry's line, and below it the bodies. */
function brief(entry: JournalEntry, options: object, inspect: Inspect): string {
  const { requestBody, responseBody } = entry
  const bodies = [
    ...(requestBody === null ? [] : [`  sent ${onLine(requestBody, options, inspect, WIDTH)}`]),
    ...(responseBody === null ? [] : [`  got  ${onLine(responseBody, options, inspect, WIDTH)}`]),
  ]
  return [lineOf(entry), ...bodies].join('\n')
}

/** `#3 POST /api/… → 201 cloneFeature, by mock-admin` */
export function lineOf({ id, method, path, status, operation, caller, proxied }: JournalEntry): string {
  const what = operation ?? (proxied ? 'proxied' : 'no operation')
  const outcome = status === 0 ? 'no answer' : status
  const line = `#${id} ${method} ${path} → ${outcome} ${what}${caller === null ? '' : `, by ${caller}`}`
  return line.length > 2 * WIDTH ? `${line.slice(0, 2 * WIDTH)}…` : line
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ')
}
