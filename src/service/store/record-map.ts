import { type Frozen, none } from '../../support/freeze.js'
import type { Change, IndexFunction, Key } from './table.js'

type IndexFunctions<Item> = Readonly<Record<string, IndexFunction<Item>>>

type KeyedRecords<Item> = Map<Key, Frozen<Item>>

/**
 * The records of a table, in order, with indexes that are built on first use. The cost of a lookup doesn't depend on the
 * number of records. Tables can share a map, so a table copies it before it writes.
 */
export class RecordMap<Item extends object> {
  protected readonly indexFunctions: IndexFunctions<Item>
  #records: KeyedRecords<Item> = new Map()
  /** A number for each key: lists sort the records by these numbers. */
  #places = new Map<Key, number>()
  #lastPlace = 0
  /** Whether the records are in the order of their places. */
  #isSorted = true
  readonly #indexes = new Map<string, Map<Key, KeyedRecords<Item>>>()

  /** An empty map, or a copy. */
  constructor(indexFunctions: IndexFunctions<Item>, other?: RecordMap<Item>) {
    this.indexFunctions = indexFunctions
    if (other === undefined) return
    this.#records = new Map(other.#records)
    this.#places = new Map(other.#places)
    this.#lastPlace = other.#lastPlace
    this.#isSorted = other.#isSorted
  }

  copy(): RecordMap<Item> {
    return new RecordMap(this.indexFunctions, this)
  }

  get size(): number {
    return this.#records.size
  }

  get(key: Key): Frozen<Item> | undefined {
    return this.#records.get(key)
  }

  has(key: Key): boolean {
    return this.#records.has(key)
  }

  placeOf(key: Key): number | undefined {
    return this.#places.get(key)
  }

  /** All records by their keys, in order. */
  entries(): ReadonlyMap<Key, Frozen<Item>> {
    if (!this.#isSorted) this.#sort()
    return this.#records
  }

  oldestFirst(): Iterable<Frozen<Item>> {
    return this.entries().values()
  }

  list(): Frozen<Item>[] {
    return [...this.entries().values()]
  }

  /** The records under a value of an index. */
  by(index: string, value: Key): ReadonlyMap<Key, Frozen<Item>> | undefined {
    return this.#index(index).get(value)
  }

  /** Stores a record, or removes it. Without a place, it stays where a record with its key is, or goes to the end. */
  set(key: Key, record: Frozen<Item> | undefined, place?: number): void {
    const previous = this.#records.get(key)
    if (record === undefined) {
      this.#records.delete(key)
      this.#places.delete(key)
    } else {
      this.#records.set(key, record)
      if (place !== undefined) this.#place(key, place)
      else if (previous === undefined) this.#places.set(key, ++this.#lastPlace)
    }
    this.#reindex(key, previous, record)
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

  #index(index: string): Map<Key, KeyedRecords<Item>> {
    if (!this.#isSorted) this.#sort()
    let entries = this.#indexes.get(index)
    if (entries === undefined) {
      entries = new Map()
      this.#indexes.set(index, entries)
      const valuesOf = this.#valuesIn(index)
      for (const [key, record] of this.#records) addToIndex(entries, valuesOf(record), key, record)
    }
    return entries
  }

  /** A record that keeps its value in an index keeps its place there, so lists keep their order. */
  #reindex(key: Key, previous: Frozen<Item> | undefined, record: Frozen<Item> | undefined): void {
    for (const [index, entries] of this.#indexes) {
      const valuesOf = this.#valuesIn(index)
      const after = record === undefined ? none : valuesOf(record)
      if (previous !== undefined) removeFromIndex(entries, valuesOf(previous), key, after)
      if (record !== undefined) addToIndex(entries, after, key, record)
    }
  }

  #valuesIn(index: string): IndexFunction<Item> {
    const valuesOf = this.indexFunctions[index]
    if (valuesOf === undefined) throw new Error(`There is no index "${index}".`)
    return valuesOf
  }
}

/** The records that differ, by identity: first the earlier ones in their order, then the new ones. */
export function changesBetween(earlier: RecordMap<object> | undefined, later: RecordMap<object>): Change[] {
  if (earlier === later) return none
  const keys = new Set([...(earlier?.entries().keys() ?? none), ...later.entries().keys()])
  const differing = [...keys].filter((key) => earlier?.get(key) !== later.get(key))
  return differing.map((key) => ({ key, before: earlier?.get(key), after: later.get(key) }))
}

function addToIndex<Item>(
  entries: Map<Key, KeyedRecords<Item>>,
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

/** Removes a key from all values but the lasting ones. */
function removeFromIndex(
  entries: Map<Key, KeyedRecords<object>>,
  values: readonly Key[],
  key: Key,
  lasting: readonly Key[],
): void {
  const lasts = values.length > 1 ? new Set(lasting) : undefined
  for (const value of values) {
    if (lasts?.has(value) ?? lasting.includes(value)) continue
    const found = entries.get(value)
    found?.delete(key)
    if (found?.size === 0) entries.delete(value)
  }
}

/** The common field of all events: a growing number. */
export interface Numbered {
  id: number
}

/** Events by their IDs, and in the order of their IDs. */
export class EventMap extends RecordMap<Numbered> {
  /** Oldest first. Undefined after a change elsewhere than at the end. */
  #ordered: Frozen<Numbered>[] | undefined
  /** The number of events that were dropped. */
  dropped: number

  constructor(indexFunctions: IndexFunctions<Numbered>, other?: EventMap) {
    super(indexFunctions, other)
    this.#ordered = other === undefined ? [] : undefined
    this.dropped = other?.dropped ?? 0
  }

  override copy(): EventMap {
    return new EventMap(this.indexFunctions, this)
  }

  override list(): Frozen<Numbered>[] {
    return this.inOrder().slice()
  }

  override oldestFirst(): Iterable<Frozen<Numbered>> {
    return this.inOrder()
  }

  override set(id: Key, event: Frozen<Numbered> | undefined): void {
    super.set(id, event)
    const newest = this.#ordered?.at(-1)?.id ?? 0
    if (event !== undefined && event.id > newest) this.#ordered?.push(event)
    else this.#ordered = undefined
  }

  /** Its own list, oldest first. */
  inOrder(): readonly Frozen<Numbered>[] {
    this.#ordered ??= [...super.oldestFirst()].sort((one, other) => one.id - other.id)
    return this.#ordered
  }

  dropOldest(count: number): void {
    this.inOrder()
    for (let left = count; left > 0; left--) {
      // `shift` takes constant time, but `splice` moves all remaining events.
      const event = this.#ordered?.shift()
      if (event === undefined) return
      super.set(event.id, undefined)
      this.dropped++
    }
  }
}
