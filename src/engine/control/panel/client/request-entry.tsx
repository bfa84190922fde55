import { useState } from 'preact/hooks'
import { isObject } from '../../../../support/json.js'
import { counted, headerText, percentDecodedOrRaw } from '../../../../support/text.js'
import type { JournalEntry } from '../../../sessions/journal.js'
import { CLIENT_HEADER } from './api.js'
import { CopyButton, Pairs, QuietButton } from './controls.js'
import { Changes } from './history.js'
import type { PanelView } from './host.js'
import type { Panel } from './panel.js'
import { switchedTo } from './panel-state.js'
import { durationWords, instantWords, timeOfDay } from './words.js'

interface EntryProps {
  panel: Panel
  entry: JournalEntry
}

/** One journal entry: a line that opens to show the request and the response. */
export function RequestEntry({ panel, entry }: EntryProps) {
  const [isOpen, setIsOpen] = useState(false)
  const story = panel.state.history.find(({ id }) => id === entry.commit)?.title
  return (
    <details class="entry" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary class="entry-line">
        <span class="method mono opens">{entry.method}</span>
        <span class="path mono">{breakable(entry.path)}</span>
        <span class="origin line muted small">
          <span>{story ?? entry.operation ?? 'no operation'}</span>
          {entry.scenario !== switchedTo(panel.state) && <span>· {entry.scenario}</span>}
          {entry.forced && <span class="pill warn">by a rule</span>}
          {isOurs(entry) && <span class="pill">from the panel</span>}
        </span>
        <span class={`pill end ${tone(entry)}`}>{entry.status === 0 ? 'no response' : entry.status}</span>
        <span class="end muted small">{durationWords(entry.durationMs)}</span>
        <time class="end muted small" dateTime={entry.time}>
          {timeOfDay(entry.time)}
        </time>
      </summary>
      {isOpen && <Details panel={panel} entry={entry} />}
    </details>
  )
}

function Details({ panel, entry }: EntryProps) {
  const refused = refusalOf(entry)
  const what = `${entry.method} ${entry.path}`
  const { history, place } = panel.state
  const before = history[history.findIndex(({ id }) => id === entry.commit) - 1]?.id
  return (
    <div class="entry-body stack">
      <p class="muted">
        {entry.operation ?? 'No operation'} · scenario {entry.scenario} · {instantWords(entry.time)} on its clock ·{' '}
        {entry.caller === null ? 'caller not known' : `sent by ${entry.caller}`}
      </p>
      {refused !== undefined && (
        <p class="refusal">
          <strong>{refused.by}</strong> {refused.why}
        </p>
      )}
      <div class="line">
        <CopyButton panel={panel} text={toCurl(entry, panel.host.origin, place)} what={what}>
          Copy as curl
        </CopyButton>
        <QuietButton onClick={() => panel.copyAsTest(entry)}>Copy as test</QuietButton>
        {entry.operation !== null && (
          <QuietButton onClick={() => panel.draftRule(draftOf(panel, entry))}>Make a rule of it …</QuietButton>
        )}
        {before !== undefined && (
          <QuietButton onClick={() => panel.act('PUT', 'history', { at: before }, `Back to before ${what}.`)}>
            Back to before this request
          </QuietButton>
        )}
      </div>
      {entry.commit !== undefined && (
        <section>
          <h3 class="label">What it changed</h3>
          <Changes panel={panel} commit={entry.commit} />
        </section>
      )}
      <Message title="Request" headers={entry.requestHeaders} body={entry.requestBody} />
      <Message title="Response" headers={entry.responseHeaders} body={entry.responseBody} />
    </div>
  )
}

/** Whether this panel sent it. */
export function isOurs({ requestHeaders }: JournalEntry): boolean {
  return requestHeaders[CLIENT_HEADER] === 'panel'
}

/** Which check refuses with a status. */
const checks: Readonly<Record<number, string>> = {
  400: 'Refused by the check of what was sent:',
  401: 'Refused by the check of who is calling:',
  403: 'Refused by the check of permissions:',
  404: 'Refused, because something in the path is not there:',
  405: 'Refused by the check of the method:',
  409: 'Refused by the check of names:',
  413: 'Refused by the check of the size:',
  415: 'Refused by the check of the content type:',
  429: 'Refused, because there were too many requests:',
}

/** What refused a request, and why. Undefined if nothing did. */
export function refusalOf(entry: JournalEntry): { by: string; why: string } | undefined {
  const { status, forced, matched, responseBody } = entry
  if (status > 0 && status < 400) return undefined
  const why = reasonIn(responseBody)
  if (forced) return { by: 'A rule answered:', why: why || 'no check was asked.' }
  if (status === 0) return { by: 'No response arrived.', why: '' }
  if (!matched) return { by: 'No operation has this path:', why }
  return { by: checks[status] ?? 'The request failed:', why }
}

/** The messages in the body of an error. */
function reasonIn(body: unknown): string {
  if (!isObject(body)) return ''
  const told = typeof body.message === 'string' ? [body.message] : []
  const details = Array.isArray(body.details) ? body.details.map(reasonIn) : []
  return [...new Set([...told, ...details])].filter((text) => text !== '').join(' ')
}

/** A rule for requests such as an entry, with its error if it has one. */
function draftOf({ state: { operations } }: Panel, { operation, path, status }: JournalEntry) {
  const pattern = operations.find(({ id }) => id === operation)?.path ?? ''
  return { operation: operation ?? '', status: status >= 400 ? status : undefined, params: paramsIn(pattern, path) }
}

/** The parameters of a path below any base path, by the pattern of its operation. */
export function paramsIn(pattern: string, path: string): Record<string, string> {
  const segments = pattern.split('/').slice(1)
  const sent = (path.split('?', 1)[0] ?? '').split('/').slice(-segments.length)
  const paramAt = (segment: string, at: number) =>
    segment.startsWith(':') ? [[segment.slice(1), percentDecodedOrRaw(sent[at] ?? '')]] : []
  return Object.fromEntries(segments.flatMap(paramAt))
}

/** A path that wraps after its slashes. */
function breakable(path: string) {
  return path.split(/(?<=[/?&])/).flatMap((part, i) => (i === 0 ? [part] : [<wbr key={i} />, part]))
}

interface MessageProps {
  title: string
  headers: JournalEntry['requestHeaders']
  body: unknown
}

function Message({ title, headers, body }: MessageProps) {
  const pairs = Object.entries(headers)
  return (
    <section>
      <h3 class="label">{title}</h3>
      {pairs.length > 0 && (
        <details class="headers">
          <summary class="opens small">{counted(pairs.length, 'header')}</summary>
          <Pairs pairs={pairs} />
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

/** A journal entry as a shell command, with `$TOKEN` for the key, which the journal doesn't hold. */
export function toCurl(entry: JournalEntry, origin: string, { session }: Pick<PanelView, 'session'>): string {
  const { method, path, requestHeaders, requestBody, scenario } = entry
  const type = requestHeaders['content-type'] ?? ''
  const headers = [
    '-H "Authorization: $TOKEN"',
    ...(session === '' ? [] : [`-H ${quoted(`x-mock-session: ${headerText(session)}`)}`]),
    ...(scenario === '' ? [] : [`-H ${quoted(`x-mock-scenario: ${scenario}`)}`]),
    // Without a type, a body would get one from curl.
    ...(type === '' && requestBody === null ? [] : [`-H ${quoted(`Content-Type: ${type}`.trim())}`]),
  ]
  const text = typeof requestBody === 'string' ? requestBody : JSON.stringify(requestBody)
  const body = requestBody === null ? [] : [`--data-raw ${quoted(text)}`]
  return [`curl -X ${method} ${quoted(origin + path)}`, ...headers, ...body].join(' \\\n  ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
