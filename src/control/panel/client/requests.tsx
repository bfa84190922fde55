import { useState } from 'preact/hooks'
import type { JournalEntry } from '../../../sessions/journal-entry.js'
import { counted } from '../../../support/text.js'
import { Choice, type PartProps, QuietButton, usePages } from './controls.js'
import { RequestEntry } from './request-entry.js'

/**
 * Which journal entries to show; what is empty matches all. The text stands in the path, the caller's name, a header or a
 * body. The status is its first digit, 0 for no response.
 */
const allEntries = { text: '', operation: '', status: '', matched: '' }

type EntryFilter = typeof allEntries

function matchesFilter(entry: JournalEntry, { text, operation, status, matched }: EntryFilter): boolean {
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

/** The session's journal, newest first, updated live. */
export function Requests({ panel, state }: PartProps) {
  const { entries } = state
  const [filter, setFilter] = useState(allEntries)
  const found = entries.filter((entry) => matchesFilter(entry, filter)).toReversed()
  const { shown, button } = usePages(found, { page: 100, more: 'Show older' })
  return (
    <>
      <Filters
        filter={filter}
        onChange={(change) => setFilter((current) => ({ ...current, ...change }))}
        operations={[...new Set(entries.flatMap(({ operation }) => operation ?? []))].sort()}
      />
      <div class="line ends">
        <p class="muted" aria-live="polite">
          {found.length === entries.length
            ? counted(entries.length, 'request')
            : `${found.length.toLocaleString('en')} of ${counted(entries.length, 'request')}`}
        </p>
        <span class="line">
          <QuietButton
            disabled={entries.length === 0}
            onClick={() => panel.download('requests?format=har', 'flagdouble.har')}
          >
            Download as HAR
          </QuietButton>
          <QuietButton
            disabled={found.length === 0}
            onClick={() => panel.copyAsTest(found.map(({ id }) => id).reverse())}
          >
            Copy as test
          </QuietButton>
          <QuietButton disabled={entries.length === 0} onClick={() => panel.clearJournal()}>
            Clear
          </QuietButton>
        </span>
      </div>
      {found.length === 0 && (
        <p class="empty">
          {entries.length === 0
            ? 'No requests yet. Send one to the service, and it appears here.'
            : 'No request matches the filter.'}
        </p>
      )}
      <ol class="entries box">
        {shown.map((entry) => (
          <li key={entry.id}>
            <RequestEntry panel={panel} entry={entry} />
          </li>
        ))}
      </ol>
      {button}
    </>
  )
}

interface FiltersProps {
  filter: EntryFilter
  onChange(change: Partial<EntryFilter>): void
  operations: readonly string[]
}

const all = ['', 'all'] as const

const statuses = [all, ['0', 'no response'], ['2', '2xx'], ['3', '3xx'], ['4', '4xx'], ['5', '5xx']] as const

function Filters({ filter, onChange, operations }: FiltersProps) {
  return (
    <form class="line" aria-label="Filter the requests" onSubmit={(event) => event.preventDefault()}>
      <label class="field grow">
        <span class="label">Text</span>
        <input
          type="search"
          placeholder="in path, headers or body"
          value={filter.text}
          onInput={({ currentTarget }) => onChange({ text: currentTarget.value })}
        />
      </label>
      <Choice
        label="Operation"
        value={filter.operation}
        options={[all, ...operations.map((id) => [id, id] as const)]}
        onChoose={(operation) => onChange({ operation })}
      />
      <Choice label="Status" value={filter.status} options={statuses} onChoose={(status) => onChange({ status })} />
      <Choice
        label="Known path"
        value={filter.matched}
        options={[all, ['true', 'yes'], ['false', 'no']]}
        onChoose={(matched) => onChange({ matched })}
      />
    </form>
  )
}
