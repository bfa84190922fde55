import type { OperationId } from '../../service/api/operations.js'
import { MockError } from '../../service/contract/mock-errors.js'
import { keyIn } from '../../service/resources/people/callers.js'
import { Listeners } from '../../support/listeners.js'
import { ALL_CHARACTERS_KEPT, Budget } from './budget.js'
import {
  cutTexts,
  fromEntry,
  inspectableEntries,
  type JournalEntry,
  type KeptEntry,
  sizeOf,
  toEntry,
} from './journal-entry.js'
import { headerIn } from './sent-headers.js'

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

  /** Goes on with entries that another journal showed, oldest first. */
  resume(entries: readonly JournalEntry[], lastId: number): void {
    if (this.#size > 0) for (const entry of entries) this.#keep(fromEntry(entry))
    this.#lastId = lastId
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
