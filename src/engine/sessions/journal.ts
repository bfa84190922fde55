import type { OperationId } from '../../service/api/operations.js'
import { MockError } from '../../service/contract/mock-errors.js'
import { keyIn } from '../../service/resources/people/callers.js'
import type { Message } from '../../service/resources/shared/context.js'
import { none } from '../../support/freeze.js'
import { INSPECT, type Inspect, inspectedBy, onLine, onScreen } from '../../support/inspect.js'
import { Listeners } from '../../support/listeners.js'
import { inOnePiece } from '../../support/text.js'
import { ALL_CHARACTERS_KEPT, Budget } from './budget.js'
import { headerIn, REDACTED, readHeaders, redactBody, takesSecrets } from './redact.js'

const FILTERS: readonly string[] = ['operation', 'method', 'path', 'scenario', 'status', 'matched', 'caller', 'key']

/** Whether an entry matches a filter. Throws `INVALID_REQUEST` for an unknown filter. */
export function matcher(filter: JournalFilter): (entry: Readonly<KeptEntry>) => boolean {
  for (const name of Object.keys(filter)) if (name !== 'since' && !FILTERS.includes(name)) throw unknownFilter(name)
  const { since, key, ...exact } = filter
  const given = Object.entries(exact) as [keyof typeof exact, unknown][]
  const wanted = given.filter(([, value]) => value !== undefined)
  return (entry) =>
    isSince(entry, since) &&
    wanted.every(([name, value]) => entry[name] === value) &&
    (key === undefined || keyIn(headerIn(entry.requestHead, 'authorization')) === key)
}

function isSince(entry: Readonly<KeptEntry>, since: JournalFilter['since']): boolean {
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

/** What to find in a journal; what is left out does not matter. */
export interface JournalFilter {
  operation?: OperationId | undefined
  method?: string | undefined
  path?: string | undefined
  scenario?: string | undefined
  status?: number | undefined
  matched?: boolean | undefined
  /** Who sent it: the name of the user or of the key. */
  caller?: string | undefined
  /** The key that it was sent with, without `Bearer`. */
  key?: string | undefined
  /** At this instant or later, or with a higher id. */
  since?: string | number | Date | undefined
}

/** Entries that a journal keeps unless it is given another number. */
export const ENTRIES_KEPT = 1000

/** Characters that a journal keeps of bodies, headers and paths, all its entries together. */
export const CHARACTERS_KEPT = 32 * 1024 * 1024

/** What an entry takes up besides its texts, roughly. */
const OVERHEAD = 512

/**
 * The last requests of a session, newest last: a number of entries, and no more characters than `CHARACTERS_KEPT` and than the
 * budget of all journals leaves it.
 */
export class Journal {
  readonly #size: number
  readonly #budget: Budget
  readonly #listeners = new Listeners<[entry: JournalEntry, kept: Readonly<KeptEntry>]>()
  readonly #waits = new Set<() => void>()
  /** Oldest first. */
  #entries: KeptEntry[] = []
  #characters = 0
  #lastId = 0

  constructor(size: number, budget = new Budget(ALL_CHARACTERS_KEPT)) {
    this.#size = size
    this.#budget = budget
  }

  /** Keeps an entry, which is made only if somebody wants it. Returns its id. */
  record(make: (id: number) => KeptEntry): number {
    this.#lastId++
    if (this.#size === 0 && this.#listeners.isEmpty) return this.#lastId
    const kept = make(this.#lastId)
    cutTexts(kept, this.#entries.at(-1))
    if (this.#size > 0) this.#keep(kept)
    if (!this.#listeners.isEmpty) this.#listeners.notify(toEntry(kept), kept)
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

  /** The oldest entry with a higher id than this one. */
  after(id: number): JournalEntry | undefined {
    const next = this.#entries.find((entry) => entry.id > id)
    return next && toEntry(next)
  }

  count(filter: JournalFilter = {}): number {
    return this.#entries.filter(matcher(filter)).length
  }

  /** The next entry that fits. Undefined if the signal aborts first, or `endWaits` is called. */
  next(filter: JournalFilter, signal: AbortSignal): Promise<JournalEntry | undefined> {
    const fits = matcher(filter)
    return new Promise((resolve) => {
      const stop = this.#listeners.add((entry, kept) => {
        if (fits(kept)) end(entry)
      })
      // Not a signal for all: on Workers, nothing that one request made can be used by another.
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
    this.#budget.remove(this.#characters)
    this.#budget.forget(this)
    this.#entries = []
    this.#characters = 0
  }

  /** Calls back for each new entry. Returns a function that unsubscribes. */
  onEntry(listener: (entry: JournalEntry) => void): () => void {
    return this.#listeners.add(listener)
  }

  #keep(kept: KeptEntry): void {
    if (this.#entries.length === this.#size) this.dropOldest()
    const characters = sizeOf(kept) + OVERHEAD
    this.#characters += characters
    while (!this.isEmpty && this.#characters > CHARACTERS_KEPT) this.dropOldest()
    this.#entries.push(kept)
    this.#budget.add(this, characters)
  }

  dropOldest(): void {
    const oldest = this.#entries.shift()
    if (oldest === undefined) return
    const characters = sizeOf(oldest) + OVERHEAD
    this.#characters -= characters
    this.#budget.remove(characters)
  }
}

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
  const outcome = status === 0 ? 'no response' : status
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

function toSent({ text, ...message }: Message): SentMessage {
  return { ...message, body: redactBody(text, null) }
}

function cut(text: string): string {
  return inOnePiece(text.length > BODY_KEPT ? `${text.slice(0, BODY_KEPT)}…` : text)
}
