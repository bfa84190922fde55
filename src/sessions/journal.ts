import type { OperationId } from '../api/operations.js'
import { MockError } from '../contract/mock-errors.js'
import { keyIn } from '../resources/people/callers.js'
import { Listeners } from '../support/listeners.js'
import { ALL_BYTES_KEPT, Budget } from './budget.js'
import {
  fromEntry,
  inspectableEntries,
  type JournalEntry,
  type KeptEntry,
  keptEntry,
  type RawEntry,
  sizeOf,
  textsOf,
  toEntry,
} from './journal-entry.js'
import { KeptTexts, readText } from './kept-texts.js'
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
    (key === undefined || keyIn(headerIn(readText(entry.requestHead), 'authorization')) === key)
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

/** Bytes that a journal keeps of bodies, headers and paths, all its entries together. */
export const BYTES_KEPT = 32 * 1024 * 1024

/** What an entry takes up besides its texts, roughly. */
const ENTRY_BYTES = 512

/**
 * The last requests of a session, newest last: a number of entries, and no more bytes than `BYTES_KEPT` and than the budget
 * of all journals leaves it.
 */
export class Journal {
  readonly #size: number
  readonly #budget: Budget
  readonly #listeners = new Listeners<[entry: JournalEntry]>()
  #texts = new KeptTexts()
  #ring: (KeptEntry | undefined)[] = []
  /** Where the next entry goes. */
  #next = 0
  #count = 0
  #bytes = 0
  #lastId = 0

  constructor(size: number, budget = new Budget(ALL_BYTES_KEPT)) {
    this.#size = size
    this.#budget = budget
  }

  /** Keeps an entry, without its secrets. Returns its id. */
  record(entry: RawEntry): number {
    this.#lastId++
    if (this.#size === 0 && this.#listeners.isEmpty) return this.#lastId
    const kept = keptEntry(entry, this.#lastId, this.#texts)
    if (this.#size > 0) this.#keep(kept)
    if (!this.#listeners.isEmpty) this.#listeners.notify(toEntry(kept))
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
    return inspectableEntries(this.#kept().map(toEntry))
  }

  find(filter: JournalFilter = {}): JournalEntry[] {
    return inspectableEntries(this.#kept().filter(matcher(filter)).map(toEntry))
  }

  /** The oldest entry with a higher id than this one. */
  after(id: number): JournalEntry | undefined {
    for (let at = this.#oldest(), left = this.#count; left > 0; at = (at + 1) % this.#size, left--) {
      const kept = this.#ring[at]
      if (kept !== undefined && kept.id > id) return toEntry(kept)
    }
    return undefined
  }

  count(filter: JournalFilter = {}): number {
    return this.#kept().filter(matcher(filter)).length
  }

  get isEmpty(): boolean {
    return this.#count === 0
  }

  clear(): void {
    this.#budget.remove(this.#bytes)
    this.#budget.forget(this)
    this.#texts = new KeptTexts()
    this.#ring = []
    this.#next = 0
    this.#count = 0
    this.#bytes = 0
  }

  /** Calls back for each new entry. Returns a function that unsubscribes. */
  onEntry(listener: (entry: JournalEntry) => void): () => void {
    return this.#listeners.add(listener)
  }

  #keep(kept: KeptEntry): void {
    if (this.#count === this.#size) this.dropOldest()
    const bytes = sizeOf(kept) + ENTRY_BYTES
    this.#bytes += bytes
    while (this.#count > 0 && this.#bytes > BYTES_KEPT) this.dropOldest()
    this.#ring[this.#next] = kept
    this.#next = (this.#next + 1) % this.#size
    this.#count++
    this.#budget.add(this, bytes)
  }

  dropOldest(): void {
    const at = this.#oldest()
    const oldest = this.#ring[at]
    if (oldest !== undefined) {
      const bytes = sizeOf(oldest) + ENTRY_BYTES
      this.#bytes -= bytes
      this.#budget.remove(bytes)
      for (const text of textsOf(oldest)) this.#texts.drop(text)
    }
    this.#ring[at] = undefined
    this.#count--
  }

  #oldest(): number {
    return (this.#next - this.#count + this.#size) % Math.max(this.#size, 1)
  }

  /** The entries that are kept, oldest first. */
  #kept(): readonly Readonly<KeptEntry>[] {
    const oldest = this.#oldest()
    const newest = oldest + this.#count
    const wrapped = newest > this.#size ? this.#ring.slice(0, newest - this.#size) : []
    return [...this.#ring.slice(oldest, newest), ...wrapped].filter((entry) => entry !== undefined)
  }
}
