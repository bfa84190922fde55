import { useState } from 'hono/jsx/dom'
import type { JournalEntry } from '../../../sessions/journal.js'
import type { View } from './api.js'
import { CopyButton } from './copy-button.js'
import { toCurl } from './curl.js'
import type { Panel } from './panel.js'
import { durationWords, instantWords, timeOfDay } from './words.js'

interface EntryProps {
  panel: Panel
  view: View
  entry: JournalEntry
}

/** One journal entry: a line that opens to show the request and the response. */
export function RequestEntry({ panel, view, entry }: EntryProps) {
  const [open, setOpen] = useState(false)
  return (
    <details class="entry" onToggle={(event: Event) => setOpen((event.target as HTMLDetailsElement).open)}>
      <summary class="entry-line">
        <span class="method">{entry.method}</span>
        <span class="path">{entry.path}</span>
        <span class="operation">{entry.operation ?? 'no operation'}</span>
        <span class={`status ${tone(entry)}`}>{entry.status === 0 ? 'no response' : entry.status}</span>
        <span class="duration">{durationWords(entry.durationMs)}</span>
        <time class="time" dateTime={entry.time}>
          {timeOfDay(entry.time)}
        </time>
      </summary>
      {open && (
        <div class="entry-body">
          <p class="muted">
            {instantWords(entry.time)} on the mock's clock · scenario {entry.scenario}
            {entry.matched ? '' : ' · no operation matched'}
          </p>
          <CopyButton panel={panel} text={toCurl(entry, location.origin, view)} what={`${entry.method} ${entry.path}`}>
            Copy as curl
          </CopyButton>
          <Body title="Request" body={entry.requestBody} />
          <Body title="Response" body={entry.responseBody} />
        </div>
      )}
    </details>
  )
}

function Body({ title, body }: { title: string; body: unknown }) {
  return (
    <section>
      <h3 class="label">{title}</h3>
      {body === null ? (
        <p class="muted">No body.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        <pre tabIndex={0}>{typeof body === 'string' ? body : JSON.stringify(body, null, 2)}</pre>
      )}
    </section>
  )
}

function tone({ status, matched }: JournalEntry): string {
  if (!matched || status === 0 || status >= 500) return 'bad'
  return status >= 400 ? 'warn' : 'ok'
}
