import { useState } from 'preact/hooks'
import type { JournalEntry } from '../engine/sessions/journal.js'
import { Item, LongList, Menu, Options, type PartProps } from './controls.js'
import { FirstScreen } from './first-screen.js'
import { fromApp, hasFailed, isOfSdk } from './panel-state.js'
import { RequestEntry } from './request-entry.js'
import { countedOf, mentions } from './words.js'

/** Filters of the list. SDKs poll, and the panel sends requests to change data: only the last choice shows each of these. */
const choices: Readonly<Record<string, { words: string; has(entry: JournalEntry): boolean }>> = {
  all: { words: 'All', has: () => true },
  failed: { words: 'Failed', has: hasFailed },
  changes: { words: 'Changed something', has: ({ commit }) => commit !== undefined },
  unknown: { words: 'No operation', has: ({ matched }) => !matched },
  panel: { words: "All, with polls and the panel's own", has: () => true },
}

/** All text of a request, for the search. */
function searchedText(entry: JournalEntry): string {
  const { method, path, operation, status, scenario, caller } = entry
  const { requestHeaders, requestBody, responseHeaders, responseBody } = entry
  const parts = [caller, requestHeaders, requestBody, responseHeaders, responseBody]
  return `${method} ${path} ${operation} ${status} ${scenario} ${JSON.stringify(parts)}`
}

/** A request in the list, which can stand for equal polls. */
interface Listed {
  /** The newest. */
  entry: JournalEntry
  count: number
  /** The ID of the oldest. It stays when another poll comes. */
  key: number
}

/** Folds equal requests of SDKs between two others. Newest first. */
function folded(entries: readonly JournalEntry[], isPoll: (entry: JournalEntry) => boolean): Listed[] {
  const listed: Listed[] = []
  let polls = new Map<string, Listed>()
  for (const entry of entries) {
    const { id, operation, status } = entry
    const kind = `${operation} ${status}`
    const known = polls.get(kind)
    if (known !== undefined && isPoll(entry)) {
      known.count++
      known.key = id
      continue
    }
    const one = { entry, count: 1, key: id }
    listed.push(one)
    if (isPoll(entry)) polls.set(kind, one)
    else polls = new Map()
  }
  return listed
}

/** The session's journal, newest first, updated live. */
export function Requests({ panel, state }: PartProps) {
  const [text, setText] = useState('')
  const [choice, setChoice] = useState('all')
  const entries = choice === 'panel' ? state.entries : fromApp(state.entries)
  const found = entries
    .filter((entry) => choices[choice]?.has(entry) && (text === '' || mentions(searchedText(entry), text)))
    .toReversed()
  const listed = folded(found, (entry) => choice !== 'panel' && isOfSdk(state, entry))
  if (state.entries.length === 0) return <FirstScreen panel={panel} state={state} />
  return (
    <>
      <form class="line tools" aria-label="Filter the requests" onSubmit={(event) => event.preventDefault()}>
        <input
          type="search"
          class="grow"
          aria-label="Find a request"
          placeholder="Find in path, operation, status, headers, bodies"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <select aria-label="Show" value={choice} onChange={({ currentTarget }) => setChoice(currentTarget.value)}>
          <Options pairs={Object.entries(choices).map(([name, { words }]) => [name, words])} />
        </select>
        <Menu label="More actions for the requests" class="icon" face={<span aria-hidden="true">⋯</span>}>
          <Item onClick={() => panel.clearJournal()}>Clear</Item>
        </Menu>
      </form>
      <p class="muted small" aria-live="polite">
        {countedOf(found.length, entries.length, 'request')}
      </p>
      {entries.length === 0 && <FirstScreen panel={panel} state={state} />}
      {entries.length > 0 && found.length === 0 && <p class="empty">No request matches the filter.</p>}
      <LongList
        items={listed}
        keyOf={({ key }) => key}
        draw={({ entry, count }) => <RequestEntry panel={panel} entry={entry} count={count} />}
      />
    </>
  )
}
