import { useState } from 'hono/jsx/dom'
import type { JournalEntry } from '../../../sessions/journal-entry.js'
import type { PartProps } from './part.js'
import { RequestEntry } from './request-entry.js'
import { counted } from './words.js'

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

/** Entries shown at first, and added by each click on "Show older". */
const PAGE = 100

/** The session's journal, newest first, updated live. */
export function Requests({ panel, state }: PartProps) {
  const { entries } = state
  const [filter, setFilter] = useState<EntryFilter>(allEntries)
  const [limit, setLimit] = useState(PAGE)
  const found = entries.filter((entry) => matchesFilter(entry, filter)).toReversed()
  return (
    <>
      <Filters
        {...{ filter, setFilter }}
        operations={[...new Set(entries.flatMap(({ operation }) => operation ?? []))]}
      />
      <div class="heading-row">
        <p class="muted" aria-live="polite">
          {found.length === entries.length
            ? counted(entries.length, 'request')
            : `${found.length.toLocaleString('en')} of ${counted(entries.length, 'request')}`}
        </p>
        <span class="row">
          <button type="button" class="quiet" disabled={entries.length === 0} onClick={() => panel.downloadJournal()}>
            Download as HAR
          </button>
          <button type="button" class="quiet" disabled={entries.length === 0} onClick={() => panel.clearJournal()}>
            Clear
          </button>
        </span>
      </div>
      {found.length === 0 && (
        <p class="empty">
          {entries.length === 0
            ? 'No requests yet. Send one to the service, and it appears here.'
            : 'No request matches the filter.'}
        </p>
      )}
      <ol class="entries">
        {found.slice(0, limit).map((entry) => (
          <li key={entry.id}>
            <RequestEntry panel={panel} view={state.view} entry={entry} />
          </li>
        ))}
      </ol>
      {found.length > limit && (
        <button type="button" onClick={() => setLimit(limit + PAGE)}>
          Show older
        </button>
      )}
    </>
  )
}

interface FiltersProps {
  filter: EntryFilter
  setFilter: (change: (current: EntryFilter) => EntryFilter) => void
  operations: string[]
}

function Filters({ filter, setFilter, operations }: FiltersProps) {
  const change = (event: Event) => {
    const { name, value } = event.target as HTMLInputElement
    setFilter((current) => ({ ...current, [name]: value }))
  }
  return (
    <form class="row filters" aria-label="Filter the requests" onSubmit={(event: Event) => event.preventDefault()}>
      <label class="field grow">
        <span class="label">Text</span>
        <input type="search" name="text" placeholder="in path, headers or body" value={filter.text} onInput={change} />
      </label>
      <label class="field">
        <span class="label">Operation</span>
        <select name="operation" value={filter.operation} onChange={change}>
          <option value="">all</option>
          {operations.sort().map((id) => (
            <option key={id} value={id}>
              {id}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span class="label">Status</span>
        <select name="status" value={filter.status} onChange={change}>
          <option value="">all</option>
          <option value="2">2xx</option>
          <option value="3">3xx</option>
          <option value="4">4xx</option>
          <option value="5">5xx</option>
          <option value="0">no response</option>
        </select>
      </label>
      <label class="field">
        <span class="label">Known path</span>
        <select name="matched" value={filter.matched} onChange={change}>
          <option value="">all</option>
          <option value="true">yes</option>
          <option value="false">no</option>
        </select>
      </label>
    </form>
  )
}
