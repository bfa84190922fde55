import type { JournalEntry } from '../../../sessions/journal.js'

/** Which journal entries to show. An empty field matches everything. */
export interface EntryFilter {
  /** Contained in the path, the caller's name, a header or a body. */
  text: string
  operation: string
  /** The first digit of the status; 0 for no response. */
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

function contents(entry: JournalEntry): string {
  const { method, path, caller, requestHeaders, requestBody, responseHeaders, responseBody } = entry
  const parts = [caller, requestHeaders, requestBody, responseHeaders, responseBody]
  return `${method} ${path} ${JSON.stringify(parts)}`.toLowerCase()
}
