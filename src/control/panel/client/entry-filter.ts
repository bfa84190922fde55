import type { JournalEntry } from '../../../sessions/journal.js'

/** Which entries of the journal to show; an empty field does not matter. */
export interface EntryFilter {
  /** In the path or a body. */
  text: string
  operation: string
  /** The first digit of the status; 0 for no answer. */
  status: string
  matched: string
}

export const allEntries: EntryFilter = { text: '', operation: '', status: '', matched: '' }

export function matchesFilter(entry: JournalEntry, { text, operation, status, matched }: EntryFilter): boolean {
  return (
    (operation === '' || entry.operation === operation) &&
    (status === '' || String(entry.status).startsWith(status)) &&
    (matched === '' || String(entry.matched) === matched) &&
    (text === '' || contents(entry).includes(text.toLowerCase()))
  )
}

function contents({ method, path, requestBody, responseBody }: JournalEntry): string {
  return `${method} ${path} ${JSON.stringify([requestBody, responseBody])}`.toLowerCase()
}
