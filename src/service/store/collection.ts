import { deepFreeze, type Frozen, none } from '../../support/freeze.js'
import type { Cache, TableCache } from './cache.js'
import type { Change, Key, Table, TableKeys } from './table.js'

/** The maximum records of one kind that requests can create in a world. */
export const RECORDS_KEPT = 250_000

/** The maximum items of a list in a record, such as the links of a feature. */
export const ITEMS_KEPT = 10_000

/** Thrown if a transaction would exceed the limits of a database. */
export class StoreFull extends Error {
  /** How to make room without a fresh start. */
  readonly hint: string | undefined

  constructor(problem: string, hint?: string) {
    super(problem)
    this.hint = hint
  }
}

function tooMany(what: string, most: number): StoreFull {
  return new StoreFull(`A world holds at most ${most.toLocaleString('en')} ${what}.`)
}

/** The highest ID: beyond it, two numbers can be equal. */
export const HIGHEST_ID = 2 ** 52

/** The next ID of a kind of records. Throws `StoreFull` if it would be too high. */
export function numberAfter(highest: number, name: string): number {
  if (highest < HIGHEST_ID) return highest + 1
  throw new StoreFull(
    `The ids of ${name} end at ${HIGHEST_ID}, and one record has it.`,
    'Give the record with that id a lower one, or reset the mock.',
  )
}

/** The database of a collection. */
interface Owner {
  readonly cache: Cache
  /** Whether a transaction is running. */
  readonly isWriting: boolean
}

type StoredRecords<Item> = Map<Key, Frozen<Item>>

/**
 * Records of one kind in a map, with indexes that are built on first use. The cost of a lookup doesn't depend on the
 * number of records.
 */
export class Collection<Item extends object, ItemKey extends Key, Index extends string>
  implements Table<Item, ItemKey, Index>
{
  readonly #keys: TableKeys<Item, ItemKey, Index>
  readonly #owner: Owner
  readonly #most: number
  #records: StoredRecords<Item> = new Map()
  /** A number for each key: lists sort the records by these numbers. */
  readonly #places = new Map<Key, number>()
  #lastPlace = 0
  /** Whether the records are in the order of their places. */
  #isSorted = true
  readonly #indexes = new Map<Index, Map<Key, StoredRecords<Item>>>()
  #cache: TableCache | undefined
  /** The earlier record and place of each key that the transaction has written. */
  readonly #before = new Map<Key, Pick<Change<Item>, 'before' | 'from'>>()
  /** Whether the transaction has removed all earlier records. */
  protected isEmptied = false
  version = 0

  constructor(keys: TableKeys<Item, ItemKey, Index>, owner: Owner, most = RECORDS_KEPT) {
    this.#keys = keys
    this.#owner = owner
    this.#most = most
  }

  keyOf(record: Frozen<Item>): ItemKey {
    return this.#keys.key(record)
  }

  get(key: Key): Frozen<Item> | undefined {
    return this.#records.get(key)
  }

  has(key: Key): boolean {
    return this.#records.has(key)
  }

  list(): Frozen<Item>[] {
    return [...this.oldestFirst()]
  }

  oldestFirst(): Iterable<Frozen<Item>> {
    if (!this.#isSorted) this.#sort()
    return this.#records.values()
  }

  get size(): number {
    return this.#records.size
  }

  by(index: Index, value: Key): Frozen<Item>[] {
    const found = this.#index(index).get(value)
    return found === undefined ? [] : [...found.values()]
  }

  count(index: Index, value: Key): number {
    return this.#index(index).get(value)?.size ?? 0
  }

  get cache(): TableCache {
    this.#cache ??= this.#owner.cache.of(this)
    return this.#cache
  }

  insert(record: Frozen<Item>): void {
    const key = this.keyOf(record)
    if (this.has(key)) throw new Error(`A record with the key ${JSON.stringify(key)} already exists.`)
    this.replace(record)
  }

  replace(record: Frozen<Item>): void {
    const key = this.keyOf(record)
    if (!this.has(key) && this.size >= this.#most) throw tooMany('records of one kind', this.#most)
    assertShortLists(record)
    // `assign`, because V8 gives a frozen spread object its own hidden class, which costs a kilobyte per record and slows reads.
    this.write(key, deepFreeze(Object.assign({}, record)) as Frozen<Item>)
  }

  remove(key: Key): void {
    this.write(key, undefined)
  }

  /**
   * Stores a frozen record under its key, or removes the record there. Without a place, the record stays at its key's
   * earlier place in the transaction, or goes to the end.
   */
  write(key: Key, record: Frozen<Item> | undefined, place?: number): void {
    this.#assertWritable()
    const found = this.#before.get(key) ?? { before: this.get(key), from: this.#places.get(key) }
    this.#before.set(key, found)
    this.set(key, record, place ?? (this.isEmptied ? undefined : found.from))
  }

  removeAll(): void {
    this.#assertWritable()
    for (const [key, before] of this.#records) this.#before.set(key, { before, from: this.#places.get(key) })
    this.#records.clear()
    this.#places.clear()
    this.#indexes.clear()
    this.isEmptied = true
    this.version++
  }

  /** The changes of the transaction. */
  changes(): readonly Change<Item>[] {
    if (this.#before.size === 0) return none
    const changes: Change<Item>[] = []
    for (const [key, { before, from }] of this.#before) {
      const after = this.get(key)
      if (before !== undefined || after !== undefined) {
        changes.push({ key, before, after, from, to: this.#places.get(key) })
      }
    }
    // Copied, because a list that was pushed to has room for 17.
    return changes.slice()
  }

  /** Ends the transaction. Without changes to keep, it restores the earlier state. */
  end(kept: readonly Change<Item>[] | undefined): void {
    this.isEmptied = false
    // V8 allocates a new table to clear a map, and most tables have no changes.
    if (this.#before.size === 0) return
    if (kept === undefined) for (const [key, { before, from }] of this.#before) this.set(key, before, from)
    this.#before.clear()
  }

  protected set(key: Key, record: Frozen<Item> | undefined, place?: number): void {
    const previous = this.#records.get(key)
    if (record === undefined) {
      this.#records.delete(key)
      this.#places.delete(key)
    } else {
      this.#records.set(key, record)
      this.#place(key, place ?? this.#places.get(key) ?? this.#lastPlace + 1)
    }
    this.#reindex(key, previous, record)
    this.version++
  }

  #place(key: Key, place: number): void {
    const before = this.#places.get(key)
    if (place === before) return
    this.#places.set(key, place)
    this.#isSorted &&= before === undefined && place > this.#lastPlace
    this.#lastPlace = Math.max(place, this.#lastPlace)
  }

  #sort(): void {
    const placeOf = ([key]: [Key, unknown]) => this.#places.get(key) ?? 0
    this.#records = new Map([...this.#records].sort((one, other) => placeOf(one) - placeOf(other)))
    this.#indexes.clear()
    this.#isSorted = true
  }

  #assertWritable(): void {
    if (this.#owner.isWriting) return
    throw new Error('Records can be written only in a transaction.Does a GET operation write without `writes: true`?')
  }

  #index(index: Index): Map<Key, StoredRecords<Item>> {
    if (!this.#isSorted) this.#sort()
    let entries = this.#indexes.get(index)
    if (entries === undefined) {
      entries = new Map()
      this.#indexes.set(index, entries)
      for (const [key, record] of this.#records) addToIndex(entries, this.#keys.indexes[index](record), key, record)
    }
    return entries
  }

  /** A record that keeps its value in an index keeps its place there, so lists keep their order. */
  #reindex(key: Key, previous: Frozen<Item> | undefined, record: Frozen<Item> | undefined): void {
    for (const [index, entries] of this.#indexes) {
      const valuesOf = this.#keys.indexes[index]
      const after = record === undefined ? none : valuesOf(record)
      if (previous !== undefined) removeFromIndex(entries, valuesOf(previous), key, new Set(after))
      if (record !== undefined) addToIndex(entries, after, key, record)
    }
  }
}

function addToIndex<Item>(
  entries: Map<Key, StoredRecords<Item>>,
  values: readonly Key[],
  key: Key,
  record: Frozen<Item>,
): void {
  for (const value of values) {
    const found = entries.get(value)
    if (found === undefined) entries.set(value, new Map([[key, record]]))
    else found.set(key, record)
  }
}

function removeFromIndex(
  entries: Map<Key, StoredRecords<object>>,
  values: readonly Key[],
  key: Key,
  lasting: ReadonlySet<Key>,
): void {
  for (const value of values) {
    if (lasting.has(value)) continue
    const found = entries.get(value)
    found?.delete(key)
    if (found?.size === 0) entries.delete(value)
  }
}

/** Throws `StoreFull` if a record has a list that is too long. */
function assertShortLists(record: object): void {
  for (const field in record) {
    const value: unknown = record[field as keyof typeof record]
    if (Array.isArray(value) && value.length > ITEMS_KEPT) throw tooMany(`items in "${field}"`, ITEMS_KEPT)
  }
}

/** The common field of all events: a growing number. */
export interface Numbered {
  id: number
}

/** The table of events, which grows at its end. */
export interface EventLog<Event extends Numbered> extends Table<Event, number> {
  readonly nextId: number
  /** All stored events, newest first. */
  newestFirst(): Iterable<Frozen<Event>>
  /** The number of events so far, including dropped events. */
  readonly total: number
}

/** The maximum events in a log. It drops the oldest first. */
export const EVENTS_KEPT = 10_000

/** The log of a world: its events by ID, and in the order of their IDs. */
export class EventCollection extends Collection<Numbered, Key, string> implements EventLog<Numbered> {
  /** Oldest first. Undefined after a change elsewhere than at the end. */
  #ordered: Frozen<Numbered>[] | undefined = []
  #dropped = 0

  get total(): number {
    return this.#dropped + this.size
  }

  get nextId(): number {
    return (this.#inOrder().at(-1)?.id ?? 0) + 1
  }

  override list(): Frozen<Numbered>[] {
    return this.#inOrder().slice()
  }

  override oldestFirst(): Iterable<Frozen<Numbered>> {
    return this.#inOrder()
  }

  *newestFirst(): Generator<Frozen<Numbered>> {
    const events = this.#inOrder()
    for (let position = events.length - 1; position >= 0; position--) {
      const event = events[position]
      if (event !== undefined) yield event
    }
  }

  override removeAll(): void {
    super.removeAll()
    this.#ordered = []
  }

  /** Counts and drops events only at the commit: a dropped event doesn't come back. */
  override end(kept: readonly Change<Numbered>[] | undefined): void {
    if (kept !== undefined && this.isEmptied) this.#dropped = 0
    super.end(kept)
    if (this.size > EVENTS_KEPT) this.#drop(this.size - EVENTS_KEPT)
  }

  protected override set(id: Key, event: Frozen<Numbered> | undefined): void {
    super.set(id, event)
    const newest = this.#ordered?.at(-1)?.id ?? 0
    if (event !== undefined && event.id > newest) this.#ordered?.push(event)
    else this.#ordered = undefined
  }

  #inOrder(): Frozen<Numbered>[] {
    this.#ordered ??= [...super.oldestFirst()].sort((one, other) => one.id - other.id)
    return this.#ordered
  }

  #drop(count: number): void {
    const events = this.#inOrder()
    for (let left = count; left > 0; left--) {
      // `shift` takes constant time, but `splice` moves all remaining events.
      const event = events.shift()
      if (event === undefined) return
      super.set(event.id, undefined)
      this.#dropped++
    }
  }
}
