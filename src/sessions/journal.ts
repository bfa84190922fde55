import type { OperationId } from '../api/operations.js'
import { MockError } from '../contract/mock-errors.js'
import { redact } from './redact.js'

/** One request and what was answered. */
export interface JournalEntry {
  id: number
  /** When it came, by the clock of its world. */
  time: string
  method: string
  /** The path and, if there is one, the query, without what only the kit reads. */
  path: string
  /** The operation that answered; null where none did. */
  operation: string | null
  scenario: string
  /** The status that was answered; 0 where the connection broke or no answer came. */
  status: number
  /** Real milliseconds. */
  durationMs: number
  requestBody: unknown
  responseBody: unknown
  /** Whether an operation of the table was met. */
  matched: boolean
  /** True if a force rule gave the answer; otherwise left out. */
  forced?: true
}

/** What to find in a journal; what is left out does not matter. */
export interface JournalFilter {
  operation?: OperationId | undefined
  method?: string | undefined
  path?: string | undefined
  scenario?: string | undefined
  status?: number | undefined
  matched?: boolean | undefined
  /** At this instant or later, or with a higher id. */
  since?: string | number | Date | undefined
}

/** An entry as it is kept: what went over the wire, read only when somebody looks. */
export type RawEntry = Omit<JournalEntry, 'id' | 'time' | 'requestBody' | 'responseBody'> & {
  /** Milliseconds since 1970, by the clock of its world. */
  time: number
  requestText: string | null
  responseText: string | null
}

type KeptEntry = RawEntry & { id: number }

/** Characters kept of a body. */
const BODY_KEPT = 102_400

/** The last requests of a session, newest last. */
export class Journal {
  readonly #size: number
  readonly #listeners = new Set<(entry: JournalEntry) => void>()
  #ring: KeptEntry[] = []
  /** Where the next entry goes. */
  #next = 0
  #lastId = 0

  constructor(size: number) {
    this.#size = size
  }

  /** Keeps an entry, which is the journal's own from now on. */
  record(entry: RawEntry): void {
    this.#lastId++
    const kept = Object.assign(entry, { id: this.#lastId })
    kept.requestText = cut(entry.requestText)
    kept.responseText = cut(entry.responseText)
    if (this.#size > 0) {
      this.#ring[this.#next] = kept
      this.#next = (this.#next + 1) % this.#size
    }
    for (const listener of this.#listeners) listener(toEntry(kept))
  }

  all(): JournalEntry[] {
    return this.#kept().map(toEntry)
  }

  find(filter: JournalFilter = {}): JournalEntry[] {
    return this.#kept().filter(matcher(filter)).map(toEntry)
  }

  count(filter: JournalFilter = {}): number {
    return this.#kept().filter(matcher(filter)).length
  }

  clear(): void {
    this.#ring = []
    this.#next = 0
  }

  /** Calls back for each new entry; the answer ends that. */
  onEntry(listener: (entry: JournalEntry) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The entries that are kept, oldest first: when the ring is full, the oldest is where the next one goes. */
  #kept(): readonly Readonly<KeptEntry>[] {
    return [...this.#ring.slice(this.#next), ...this.#ring.slice(0, this.#next)]
  }
}

const FILTERS: readonly string[] = ['operation', 'method', 'path', 'scenario', 'status', 'matched']

function unknownFilter(name: string): MockError {
  return new MockError(
    'INVALID_REQUEST',
    `There is no filter "${name}".`,
    `The filters are ${FILTERS.join(', ')} and since.`,
  )
}

function matcher(filter: JournalFilter): (entry: Readonly<KeptEntry>) => boolean {
  const { since, ...exact } = filter
  for (const name of Object.keys(exact)) if (!FILTERS.includes(name)) throw unknownFilter(name)
  const wanted = Object.entries(exact).filter(([, value]) => value !== undefined)
  return (entry) =>
    isSince(entry, since) &&
    wanted.every(([key, value]) => (entry as unknown as Record<string, unknown>)[key] === value)
}

function isSince(entry: Readonly<KeptEntry>, since: JournalFilter['since']): boolean {
  if (since === undefined) return true
  return typeof since === 'number' ? entry.id > since : entry.time >= new Date(since).getTime()
}

/** Reads the bodies only when somebody looks: the log, for one, does not. */
function toEntry(raw: Readonly<KeptEntry>): JournalEntry {
  const { requestText, responseText, id, time, ...entry } = raw
  return {
    id,
    time: new Date(time).toISOString(),
    ...entry,
    get requestBody() {
      return readBody(requestText)
    },
    get responseBody() {
      return readBody(responseText)
    },
  }
}

function readBody(text: string | null): unknown {
  if (text === null || text === '') return null
  try {
    return redact(JSON.parse(text))
  } catch {
    return text
      .replace(/("[^"]*password[^"]*"\s*:\s*)"(?:[^"\\]|\\.)*"?/gi, '$1"[redacted]"')
      .replace(/(password[^=&"]*=)[^&"]*/gi, '$1[redacted]')
  }
}

function cut(text: string | null): string | null {
  return text !== null && text.length > BODY_KEPT ? `${text.slice(0, BODY_KEPT)}…` : text
}
