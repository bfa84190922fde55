import type { OperationId } from '../../service/api/operations.js'
import type { Message } from '../../service/resources/shared/context.js'
import { none } from '../../support/freeze.js'
import { INSPECT, type Inspect, inspectedBy, onLine, onScreen } from '../../support/inspect.js'
import { inOnePiece } from '../../support/text.js'
import { REDACTED, redactBody, takesSecrets } from './redact.js'
import { headersText, readHeaders } from './sent-headers.js'

/** One request and what was answered. */
export interface JournalEntry {
  id: number
  /** When it came, by the clock of its world. */
  time: string
  method: string
  /** The path and, if there is one, the query, without what only flagdouble reads and without secrets. */
  path: string
  /** The operation that answered; null where none did. */
  operation: OperationId | null
  scenario: string
  /** The status that was answered; 0 where the connection broke or no answer came. */
  status: number
  /** Real milliseconds. */
  durationMs: number
  /** Who sent it: the name of the user or of the key. Null where nobody was identified. */
  caller: string | null
  /** By name in lower case, without secrets. The keys of fixtures and scenarios are none. */
  requestHeaders: Readonly<Record<string, string>>
  requestBody: unknown
  /** As flagdouble gave them, by name in lower case, without secrets. What the connection adds is not among them. */
  responseHeaders: Readonly<Record<string, string>>
  responseBody: unknown
  /** Whether an operation of the table was met. */
  matched: boolean
  /** The commit that it made (`mock.history`). Left out if it changed nothing. */
  commit?: number
  /** True if a force rule gave the answer; otherwise left out. */
  forced?: true
  /** Messages that the request caused: mails, and those of integrations. They are recorded here, and never sent. */
  sent?: readonly SentMessage[]
}

/** A message that the service would have sent. */
export interface SentMessage {
  /** The kind of integration: `webhook`, `slack-app` … A mail has `email`. */
  provider: string
  /** Left out for mails. */
  integrationId?: number
  /** What would have been sent, without secrets. JSON is parsed. */
  body: unknown
}

/** A request as a journal is told of it and keeps it. Its texts still hold what was sent; only `toEntry` reads them. */
export type KeptEntry = Omit<
  JournalEntry,
  'time' | 'operation' | 'requestHeaders' | 'requestBody' | 'responseHeaders' | 'responseBody' | 'sent'
> & {
  /** Milliseconds since 1970, by the clock of its world. */
  time: number
  operation: string | null
  sent?: readonly Message[]
  /** Whether the key in `Authorization` is nobody's secret. */
  showsKey: boolean
  /** As `headersText` writes them. */
  requestHead: string
  responseHead: string
  /** The bodies; empty where there was none. */
  request: string
  response: string
}

/** Characters of a body that are shown in a list. */
const WIDTH = 110

/** Entries of a list that are shown, each on up to three lines. */
const ENTRIES_LISTED = 12

/** An entry alone is printed with everything, among others in brief. */
const entryPrint = inspectedBy<JournalEntry>((entry, options, inspect) =>
  options.isAlone ? onScreen({ ...entry }, options, inspect) : brief(entry, options, inspect),
)

/** A list is printed in brief, the newest entries last. */
const listPrint = inspectedBy<JournalEntry[]>((entries, options, inspect) => {
  const shown = entries.slice(-ENTRIES_LISTED).map((entry) => indented(brief(entry, options, inspect)))
  const left = entries.length - shown.length
  const earlier = left === 0 ? [] : [`  … ${left} earlier`]
  return entries.length === 0 ? '[]' : ['[', ...earlier, ...shown, ']'].join('\n')
})

/** Has consoles print an entry so that people can read it. It stays as it is for everybody else. */
function inspectableEntry(entry: JournalEntry): JournalEntry {
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
export function lineOf({ id, method, path, status, operation, caller }: JournalEntry): string {
  const what = operation ?? 'no operation'
  const outcome = status === 0 ? 'no answer' : status
  const line = `#${id} ${method} ${path} → ${outcome} ${what}${caller === null ? '' : `, by ${caller}`}`
  return line.length > 2 * WIDTH ? `${line.slice(0, 2 * WIDTH)}…` : line
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ')
}

/** Characters kept of a body or a path. */
export const BODY_KEPT = 102_400

/** Cuts the texts of a new entry. It shares those of the entry before that are the same, as those of one client mostly are. */
export function cutTexts(entry: KeptEntry, before: Readonly<KeptEntry> | undefined): void {
  entry.path = cut(entry.path)
  for (const part of ['requestHead', 'responseHead', 'request', 'response'] as const) {
    const text = cut(entry[part])
    entry[part] = text === before?.[part] ? before[part] : text
  }
  if (entry.sent !== undefined) entry.sent = entry.sent.map((one) => ({ ...one, text: cut(one.text) }))
}

/** The characters of an entry's texts. */
export function sizeOf(entry: Readonly<KeptEntry>): number {
  const { path, requestHead, request, responseHead, response, sent = none } = entry
  let size = path.length + requestHead.length + request.length + responseHead.length + response.length
  for (const { text } of sent) size += text.length
  return size
}

/** The entry as it is shown. Headers and bodies are read only when somebody looks: the log, for one, does not. */
export function toEntry(kept: Readonly<KeptEntry>): JournalEntry {
  const { requestHead, request, responseHead, response, showsKey, ...rest } = kept
  const { id, time, operation, sent, ...entry } = rest
  const isMisplaced = entry.status === 400 && takesSecrets(operation)
  // The service quotes the path that it rejects.
  const quotesSecret = entry.status >= 400 && entry.path.includes(`/${REDACTED}`)
  return inspectableEntry({
    id,
    time: new Date(time).toISOString(),
    operation: operation as OperationId | null,
    ...entry,
    get requestHeaders() {
      return readHeaders(requestHead, showsKey)
    },
    get requestBody() {
      if (request === '') return null
      return isMisplaced ? REDACTED : redactBody(request, operation)
    },
    get responseHeaders() {
      return readHeaders(responseHead, showsKey)
    },
    get responseBody() {
      if (response === '') return null
      return quotesSecret ? REDACTED : redactBody(response, operation)
    },
    ...(sent === undefined ? {} : { sent: sent.map(toSent) }),
  })
}

/** The reverse of `toEntry`. What was redacted stays so. */
export function fromEntry(given: JournalEntry): KeptEntry {
  const { time, requestHeaders, requestBody, responseHeaders, responseBody, sent, ...entry } = given
  const text = (body: unknown) => (body === null ? '' : JSON.stringify(body))
  const heads = { requestHead: headersText(requestHeaders), responseHead: headersText(responseHeaders) }
  const texts = { ...heads, request: text(requestBody), response: text(responseBody) }
  const messages = sent?.map(({ body, ...message }) => ({ ...message, text: JSON.stringify(body) }))
  const kept = { ...entry, ...texts, time: Date.parse(time), showsKey: true }
  return messages === undefined ? kept : { ...kept, sent: messages }
}

function toSent({ text, ...message }: Message): SentMessage {
  return { ...message, body: redactBody(text, null) }
}

function cut(text: string): string {
  return inOnePiece(text.length > BODY_KEPT ? `${text.slice(0, BODY_KEPT)}…` : text)
}
