import { useState } from 'preact/hooks'
import type { JournalEntry } from '../engine/sessions/journal.js'
import { isObject } from '../support/json.js'
import { counted, percentDecodedOrRaw } from '../support/text.js'
import { Item, Menu, Pairs, QuietButton } from './controls.js'
import { Changes } from './history.js'
import type { Panel } from './panel.js'
import { activeNames, isOurs } from './panel-state.js'
import { SLOW } from './rule-form.js'
import { durationWords, instantWords, statusWords, timeOfDay } from './words.js'

interface EntryProps {
  panel: Panel
  entry: JournalEntry
}

interface ListedProps extends EntryProps {
  /** How many equal requests the entry stands for. */
  count: number
}

/** One journal entry: a line that opens to show the request and the response. */
export function RequestEntry({ panel, entry, count }: ListedProps) {
  const [isOpen, setIsOpen] = useState(false)
  const story = panel.state.history.find(({ id }) => id === entry.commit)?.title
  return (
    <details class="entry" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary class="entry-line">
        <span class="method mono opens">{entry.method}</span>
        <span class="path mono">{breakable(entry.path)}</span>
        <span class="origin line muted small">
          <span>{story ?? entry.operation ?? 'no operation'}</span>
          {entry.scenario !== activeNames(panel.state) && <span>· {entry.scenario}</span>}
          {count > 1 && <span class="pill">×{count}</span>}
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
  const { history } = panel.state
  const before = history[history.findIndex(({ id }) => id === entry.commit) - 1]?.id
  return (
    <div class="entry-body stack">
      <p class="muted">
        {entry.operation ?? 'No operation'} · scenario {entry.scenario} · {instantWords(entry.time)} on its clock ·{' '}
        {entry.caller === null ? 'unknown caller' : `sent by ${entry.caller}`}
      </p>
      {refused !== undefined && (
        <p class="refusal">
          <strong>{refused.by}</strong> {refused.why}
        </p>
      )}
      <div class="line">
        {entry.operation !== null && <NextTime panel={panel} entry={entry} />}
        {panel.host.links !== undefined && (
          <QuietButton onClick={() => panel.copyAs('curl', entry)}>Copy as curl</QuietButton>
        )}
        <QuietButton onClick={() => panel.copyAs('vitest', entry)}>Copy as test</QuietButton>
        {before !== undefined && (
          <QuietButton onClick={() => panel.act('PUT', 'history', { at: before }, `Back to the state before ${what}`)}>
            Back to the state before this request
          </QuietButton>
        )}
      </div>
      {entry.commit !== undefined && (
        <section>
          <h3 class="label">Changes</h3>
          <Changes panel={panel} commit={entry.commit} />
        </section>
      )}
      <Message title="Request" headers={entry.requestHeaders} body={entry.requestBody} />
      <Message title="Response" headers={entry.responseHeaders} body={entry.responseBody} />
    </div>
  )
}

/** One-click overrides for the next request like this. */
function NextTime({ panel, entry }: EntryProps) {
  const { operation, match, status } = draftOf(panel, entry)
  const errors = panel.state.operations.find(({ id }) => id === operation)?.errors ?? []
  const failures = [...new Set([...errors, 500])].toSorted((one, other) => one - other)
  const add = (rule: object, words: string) =>
    panel.act('POST', 'forced', { operation, match, times: 1, ...rule }, `The next ${operation} ${words}`)
  return (
    <span class="line">
      <span class="muted small">Next time:</span>
      <Menu label="fail" face="fail" class="quiet">
        {failures.map((failure) => (
          <Item key={failure} onClick={() => add({ status: failure }, `fails with ${failure}`)}>
            {statusWords(failure)}
          </Item>
        ))}
        <Item onClick={() => add({ fault: 'reset' }, 'breaks the connection')}>broken connection</Item>
      </Menu>
      <QuietButton onClick={() => add({ delay: SLOW }, 'takes 2 seconds')}>slow</QuietButton>
      <QuietButton onClick={() => panel.draftRule({ operation, match, status })}>Create a rule …</QuietButton>
    </span>
  )
}

/** The check that rejects with a status. */
const checks: Readonly<Record<number, string>> = {
  400: 'Rejected by validation:',
  401: 'Rejected by authentication:',
  403: 'Rejected by the permission check:',
  404: "Rejected: the path names a record that doesn't exist:",
  405: 'Rejected by the method check:',
  409: 'Rejected by the check for conflicts:',
  413: 'Rejected by the size limit:',
  415: 'Rejected by the content type check:',
  429: 'Rejected by the rate limit:',
}

/** The check that rejected a request, and the reason. Undefined for other requests. */
export function refusalOf(entry: JournalEntry): { by: string; why: string } | undefined {
  const { status, forced, matched, responseBody } = entry
  if (status > 0 && status < 400) return undefined
  const why = reasonIn(responseBody)
  if (forced) return { by: 'A rule responded:', why: why || 'no check ran.' }
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

/** A rule for requests like an entry, with its error if it has one. */
function draftOf({ state: { operations } }: Panel, { operation, path, status }: JournalEntry) {
  const pattern = operations.find(({ id }) => id === operation)?.path ?? ''
  const params = paramsIn(pattern, path)
  const match = Object.keys(params).length === 0 ? undefined : { params }
  return { operation: operation ?? '', status: status >= 400 ? status : undefined, match }
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
