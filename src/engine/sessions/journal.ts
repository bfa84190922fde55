import type { OperationId } from '../../service/api/operations.js'
import { callerName, holderOf, keyIn, sentToken } from '../../service/resources/people/callers.js'
import type { Caller, Message } from '../../service/resources/shared/context.js'
import type { Tables } from '../../service/resources/tables.js'
import { none } from '../../support/freeze.js'
import { INSPECT, type Inspect, inspectedBy, onLine, onScreen } from '../../support/inspect.js'
import { Listeners } from '../../support/listeners.js'
import { inOnePiece } from '../../support/text.js'
import { MockError } from '../errors/mock-errors.js'
import type { ConnectionFault } from '../scenarios/faults.js'
import { CommonLimit } from './common-limit.js'
import { headerIn, headersText, REDACTED, readHeaders, redactBody, redactPath, takesSecrets } from './redact.js'
import type { Cause } from './steps.js'

const FILTERS: readonly string[] = ['operation', 'method', 'path', 'scenario', 'status', 'matched', 'caller', 'key']

/** Whether an entry matches a filter. Throws `INVALID_REQUEST` for an unknown filter. */
export function matcher(filter: JournalFilter): (entry: Readonly<StoredEntry>) => boolean {
  for (const name of Object.keys(filter)) if (name !== 'since' && !FILTERS.includes(name)) throw unknownFilter(name)
  const { since, key, ...exact } = filter
  const given = Object.entries(exact) as [keyof typeof exact, unknown][]
  const wanted = given.filter(([, value]) => value !== undefined)
  return (entry) =>
    isSince(entry, since) &&
    wanted.every(([name, value]) => entry[name] === value) &&
    (key === undefined || keyIn(headerIn(entry.requestHead, 'authorization')) === key)
}

function isSince(entry: Readonly<StoredEntry>, since: JournalFilter['since']): boolean {
  if (since === undefined) return true
  return typeof since === 'number' ? entry.id > since : entry.time >= new Date(since).getTime()
}

function unknownFilter(name: string): MockError {
  return new MockError(
    'INVALID_REQUEST',
    `There is no filter "${name}".`,
    `The filters are ${FILTERS.join(', ')} and since.`,
  )
}

/** A filter of journal entries. An entry must match every given field exactly; an omitted field matches everything. */
export interface JournalFilter {
  /** The ID of the operation that responded, such as `getAllClientFeatures`. */
  operation?: OperationId | undefined
  /** The method in capitals: `GET`. */
  method?: string | undefined
  /** The path with its query, as the journal shows it: without secrets and flagdouble's own parameter. */
  path?: string | undefined
  /** The names of the scenarios of the request, separated by commas: `empty,slow`. */
  scenario?: string | undefined
  /** The status of the response; 0 if the connection broke or no response came. */
  status?: number | undefined
  /** Whether the request matched an operation. */
  matched?: boolean | undefined
  /** The name of the caller: a user or an API token. */
  caller?: string | undefined
  /** The API token of the request, without `Bearer`. */
  key?: string | undefined
  /** At this instant (a `Date` or an ISO 8601 date, by the clock of the mock) or later; or, as a number, with a higher ID. */
  since?: string | number | Date | undefined
}

/** The default maximum of entries in a journal. */
export const ENTRIES_KEPT = 1000

/** The maximum characters of bodies, headers and paths in a journal, all its entries together. */
export const CHARACTERS_KEPT = 32 * 1024 * 1024

/** The maximum characters in all journals of a mock together. */
export const ALL_CHARACTERS_KEPT = 128 * 1024 * 1024

/** The approximate size of an entry without its texts. */
const OVERHEAD = 512

/**
 * The last requests of a session, newest last, up to a number of entries, to `CHARACTERS_KEPT`, and to the common limit
 * of all journals.
 */
export class Journal {
  readonly #size: number
  readonly #limit: CommonLimit
  readonly #listeners = new Listeners<[entry: JournalEntry, stored: Readonly<StoredEntry>]>()
  readonly #waits = new Set<() => void>()
  /** Oldest first. */
  #entries: StoredEntry[] = []
  #characters = 0
  #lastId = 0

  constructor(size: number, limit = new CommonLimit(ALL_CHARACTERS_KEPT)) {
    this.#size = size
    this.#limit = limit
  }

  /** Records an entry, which is created only if needed. Returns its ID. */
  record(make: (id: number) => StoredEntry): number {
    this.#lastId++
    if (this.#size === 0 && this.#listeners.isEmpty) return this.#lastId
    const stored = make(this.#lastId)
    cutTexts(stored, this.#entries.at(-1))
    if (this.#size > 0) {
      if (this.#entries.length === this.#size) this.dropOldest()
      const characters = charactersOf(stored) + OVERHEAD
      this.#characters += characters
      while (this.#characters > CHARACTERS_KEPT && !this.isEmpty) this.dropOldest()
      this.#entries.push(stored)
      this.#limit.add(this, characters)
    }
    if (!this.#listeners.isEmpty) this.#listeners.notify(toEntry(stored), stored)
    return this.#lastId
  }

  get lastId(): number {
    return this.#lastId
  }

  all(): JournalEntry[] {
    return inspectableEntries(this.#entries.map(toEntry))
  }

  find(filter: JournalFilter = {}): JournalEntry[] {
    return inspectableEntries(this.#entries.filter(matcher(filter)).map(toEntry))
  }

  /** The oldest entry with a higher ID. */
  after(id: number): JournalEntry | undefined {
    const oldest = this.#entries[0]?.id ?? 0
    const next = this.#entries[Math.max(id + 1 - oldest, 0)]
    return next && toEntry(next)
  }

  /** Whether steps had changed the data before a request came. */
  followsChanges(id: number): boolean {
    return this.#entries.find((entry) => entry.id === id)?.followsChanges === true
  }

  count(filter: JournalFilter = {}): number {
    return this.#entries.filter(matcher(filter)).length
  }

  /** The next matching entry. Undefined if the signal aborts first, or after `endWaits`. */
  next(filter: JournalFilter, signal: AbortSignal): Promise<JournalEntry | undefined> {
    const fits = matcher(filter)
    return new Promise((resolve) => {
      const stop = this.#listeners.add((entry, stored) => {
        if (fits(stored)) end(entry)
      })
      // Not a shared signal: on Workers, a request can't use an object of another request.
      const giveUp = () => end(undefined)
      const end = (entry: JournalEntry | undefined) => {
        stop()
        this.#waits.delete(giveUp)
        signal.removeEventListener('abort', giveUp)
        resolve(entry)
      }
      this.#waits.add(giveUp)
      signal.addEventListener('abort', giveUp)
      if (signal.aborted) giveUp()
    })
  }

  endWaits(): void {
    for (const giveUp of this.#waits) giveUp()
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0
  }

  clear(): void {
    this.#limit.remove(this.#characters)
    this.#limit.forget(this)
    this.#entries = []
    this.#characters = 0
  }

  /** Calls a listener for each new entry. Returns a function that unsubscribes. */
  onEntry(listener: (entry: JournalEntry) => void): () => void {
    return this.#listeners.add(listener)
  }

  dropOldest(): void {
    const oldest = this.#entries.shift()
    if (oldest === undefined) return
    const characters = charactersOf(oldest) + OVERHEAD
    this.#characters -= characters
    this.#limit.remove(characters)
  }
}

/** One request and its response. */
export interface JournalEntry {
  /** Its number in the session, from 1. A later request has a higher one. */
  id: number
  /** The arrival time, by the clock of its world. */
  time: string
  /** The method in capitals: `GET`. */
  method: string
  /** The path and the query, without flagdouble's own parameter and without secrets. */
  path: string
  /** The operation that responded; null if none did. */
  operation: OperationId | null
  /** The names of the scenarios, separated by commas: `empty,slow`. */
  scenario: string
  /** The status of the response; 0 if the connection broke or no response came. */
  status: number
  /** Real milliseconds. */
  durationMs: number
  /** The name of the caller: a user or an API token. Null for an unknown caller. */
  caller: string | null
  /** By name in lower case, without secrets. The API tokens of fixtures and scenarios aren't secrets. */
  requestHeaders: Readonly<Record<string, string>>
  /** Parsed if it is JSON, without secrets. Null without a body. */
  requestBody: unknown
  /** flagdouble's headers by name in lower case, without secrets. Headers that the connection adds are missing. */
  responseHeaders: Readonly<Record<string, string>>
  /** Parsed if it is JSON, without secrets. Null without a body. */
  responseBody: unknown
  /** Whether the request matched an operation of the table. */
  matched: boolean
  /** The commit of the request (`mock.history`). Left out if it changed nothing. */
  commit?: number
  /** True for the response of a rule; otherwise left out. */
  forced?: true
  /** Messages that the request caused: mails, and messages of integrations. They are recorded, and never sent. */
  sent?: readonly SentMessage[]
}

/** A message that Unleash would have sent. */
export interface SentMessage {
  /** The kind of integration: `webhook`, `slack-app` … A mail has `email`. */
  provider: string
  /** Left out for mails. */
  integrationId?: number
  /** The message body, without secrets. JSON is parsed. */
  body: unknown
}

/** A request as a journal stores it. Its texts still contain secrets; only `toEntry` reads them. */
export type StoredEntry = Omit<
  JournalEntry,
  'time' | 'operation' | 'requestHeaders' | 'requestBody' | 'responseHeaders' | 'responseBody' | 'sent'
> & {
  /** Milliseconds since 1970, by the clock of its world. */
  time: number
  operation: string | null
  sent?: readonly Message[]
  /** Whether the API token in `Authorization` isn't a secret. */
  showsKey: boolean
  /** Whether steps had changed the data of its world before it came. */
  followsChanges: boolean
  /** As `headersText` writes them. */
  requestHead: string
  responseHead: string
  /** The bodies; empty if the request had none. */
  request: string
  response: string
}

/** The parts of a request that its entry is made from. */
export interface JournaledCall {
  readonly request: Pick<Request, 'method' | 'headers'>
  /** The headers as sent, if available. */
  readonly sentHeaders?: readonly string[] | undefined
  /** The world of the request, if it exists. */
  readonly world: { readonly data: { readonly tables: Tables } } | undefined
  /** The row of its operation; without an ID if it has none. */
  readonly row: { readonly id?: string }
  readonly received: { readonly text: string | undefined }
  /** The arrival time, by the clock of its world. */
  readonly time: number
  /** The real milliseconds since the arrival. */
  readonly elapsed: () => number
  readonly followsChanges: boolean
}

/** The response to a request. */
interface JournaledAnswer {
  readonly answer: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    /** Only a text is recorded. */
    readonly body: unknown
    readonly fault?: ConnectionFault | undefined
  }
  readonly caller?: Caller | undefined
  readonly cause?: Cause | undefined
  readonly sent?: readonly Message[] | undefined
}

/** The entry of a request. Its path doesn't contain flagdouble's own parameter. */
export function entryOf(
  id: number,
  { request, sentHeaders, world, row, received, time, elapsed, followsChanges }: JournaledCall,
  { answer: { status, fault, headers, body }, caller, cause, sent = none }: JournaledAnswer,
  { path, scenario, isForced }: { path: string; scenario: string; isForced: boolean },
): StoredEntry {
  const tables = world?.data.tables
  const token = tables && (caller?.token ?? sentToken(tables, request.headers))
  const operation = row.id ?? null
  const name = operation === null || caller === undefined ? null : callerName(caller)
  const noAnswer = fault === 'reset' || fault === 'hang'
  const entry: StoredEntry = {
    id,
    time,
    method: request.method,
    path: redactPath(path, operation),
    operation,
    scenario,
    status: noAnswer ? 0 : status,
    durationMs: elapsed(),
    caller: name ?? (token ? holderOf(token, tables) : null),
    followsChanges,
    showsKey: token !== undefined && token.generated !== true,
    requestHead: headersText(sentHeaders ?? request.headers),
    responseHead: noAnswer ? '' : headersText(headers),
    request: received.text ?? '',
    response: typeof body === 'string' ? body : '',
    matched: operation !== null,
  }
  if (cause?.commit !== undefined) entry.commit = cause.commit
  if (isForced) entry.forced = true
  if (sent.length > 0) entry.sent = sent
  return entry
}

/** The maximum characters of a body in a list. */
const WIDTH = 110

/** The maximum entries in a list, each on up to three lines. */
const ENTRIES_LISTED = 12

/** An entry alone is printed in full, an entry in a list in brief. */
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

/** Makes consoles print an entry readably. Other code sees no difference. */
function inspectableEntry(entry: JournalEntry): JournalEntry {
  return Object.defineProperty(entry, INSPECT, entryPrint)
}

/** Makes consoles print a list of entries readably. */
export function inspectableEntries(entries: JournalEntry[]): JournalEntry[] {
  return Object.defineProperty(entries, INSPECT, listPrint)
}

/** An entry's line, and the bodies below it. */
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
  const outcome = status === 0 ? 'no response' : status
  const line = `#${id} ${method} ${path} → ${outcome} ${what}${caller === null ? '' : `, by ${caller}`}`
  return line.length > 2 * WIDTH ? `${line.slice(0, 2 * WIDTH)}…` : line
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ')
}

/** The maximum characters of a body or a path. */
export const BODY_KEPT = 102_400

/** Cuts the texts of a new entry. It shares equal texts with the entry before, which often comes from the same client. */
export function cutTexts(entry: StoredEntry, before: Readonly<StoredEntry> | undefined): void {
  entry.path = cut(entry.path)
  for (const part of ['requestHead', 'responseHead', 'request', 'response'] as const) {
    const text = cut(entry[part])
    entry[part] = text === before?.[part] ? before[part] : text
  }
  if (entry.sent !== undefined) entry.sent = entry.sent.map((one) => ({ ...one, text: cut(one.text) }))
}

/** The number of characters in an entry's texts. */
export function charactersOf(entry: Readonly<StoredEntry>): number {
  const { path, requestHead, request, responseHead, response, sent = none } = entry
  let size = path.length + requestHead.length + request.length + responseHead.length + response.length
  for (const { text } of sent) size += text.length
  return size
}

/** The public form of an entry. Headers, bodies and messages are parsed only on access: the log, for example, doesn't read them. */
export function toEntry(stored: Readonly<StoredEntry>): JournalEntry {
  const { requestHead, request, responseHead, response, showsKey, followsChanges, ...rest } = stored
  const { id, time, operation, sent, ...entry } = rest
  const isMisplaced = entry.status === 400 && takesSecrets(operation)
  // Unleash quotes the path that it rejects.
  const quotesSecret = entry.status >= 400 && entry.path.includes(`/${REDACTED}`)
  const shown: JournalEntry = {
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
  }
  if (sent !== undefined) Object.defineProperty(shown, 'sent', { get: () => sent.map(toSent), enumerable: true })
  return inspectableEntry(shown)
}

function toSent({ text, ...message }: Message): SentMessage {
  return { ...message, body: redactBody(text, null) }
}

function cut(text: string): string {
  return inOnePiece(text.length > BODY_KEPT ? `${text.slice(0, BODY_KEPT)}…` : text)
}
