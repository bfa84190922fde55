import { useState } from 'hono/jsx/dom'
import type { JournalEntry } from '../../../sessions/journal-entry.js'
import type { PanelView } from './api.js'
import { CopyButton } from './copy-button.js'
import { toCurl } from './curl.js'
import type { Panel } from './panel.js'
import { counted, durationWords, instantWords, timeOfDay } from './words.js'

interface EntryProps {
  panel: Panel
  view: PanelView
  entry: JournalEntry
}

/** One journal entry: a line that opens to show the request and the response. */
export function RequestEntry({ panel, view, entry }: EntryProps) {
  const [open, setOpen] = useState(false)
  return (
    <details class="entry" onToggle={(event: Event) => setOpen((event.target as HTMLDetailsElement).open)}>
      <summary class="entry-line">
        <span class="method">{entry.method}</span>
        <span class="path">{breakable(entry.path)}</span>
        <span class="origin">
          <span class="operation">{entry.operation ?? (entry.proxied ? 'proxied' : 'no operation')}</span>
          <span>· {entry.scenario}</span>
          {entry.forced && <span class="tag warn">forced</span>}
        </span>
        <span class={`status ${tone(entry)}`}>{entry.status === 0 ? 'no response' : entry.status}</span>
        <span class="duration">{durationWords(entry.durationMs)}</span>
        <time class="time" dateTime={entry.time}>
          {timeOfDay(entry.time)}
        </time>
      </summary>
      {open && (
        <div class="entry-body">
          <p class="muted">
            {instantWords(entry.time)} on the mock's clock · scenario {entry.scenario} ·{' '}
            {entry.caller === null ? 'caller not known' : `sent by ${entry.caller}`}
            {entry.matched ? '' : ' · no operation matched'}
          </p>
          <div class="row">
            <CopyButton
              panel={panel}
              text={toCurl(entry, location.origin, view)}
              what={`${entry.method} ${entry.path}`}
            >
              Copy as curl
            </CopyButton>
            {entry.operation !== null && (
              <button type="button" class="quiet" onClick={() => openForm(panel, entry)}>
                Force this answer …
              </button>
            )}
          </div>
          <Part title="Request" headers={entry.requestHeaders} body={entry.requestBody} />
          <Part title="Response" headers={entry.responseHeaders} body={entry.responseBody} />
        </div>
      )}
    </details>
  )
}

/** Opens the form for forced answers with the operation of an entry and, if it has one, its error. */
function openForm(panel: Panel, { operation, status }: JournalEntry): void {
  panel.draftRule({ operation: operation ?? '*', status: status >= 400 ? status : undefined })
  location.hash = 'forced'
}

/** A path that wraps after its slashes. */
function breakable(path: string) {
  return path.split(/(?<=\/)/).flatMap((part, i) => (i === 0 ? [part] : [<wbr key={i} />, part]))
}

interface PartProps {
  title: string
  headers: JournalEntry['requestHeaders']
  body: unknown
}

function Part({ title, headers, body }: PartProps) {
  const names = Object.keys(headers)
  return (
    <section>
      <h3 class="label">{title}</h3>
      {names.length > 0 && (
        <details class="headers">
          <summary>{counted(names.length, 'header')}</summary>
          <dl>
            {names.map((name) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{headers[name]}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
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
