import { type Frozen, none } from '../../support/freeze.js'
import { Cache, type TableCache } from './cache.js'
import { moveInFront } from './reversal.js'
import type { Key, Table, TableKeys } from './table.js'

type StoredRecords<Item> = Map<Key, Frozen<Item>>

/**
 * Records of one kind in a map, with indexes that are built when they are first asked for. A lookup costs the same with
 * a hundred records as with a hundred thousand.
 */
export class Collection<Item extends object, ItemKey extends Key, Index extends string>
  implements Table<Item, ItemKey, Index>
{
  readonly #keys: TableKeys<Item, ItemKey, Index>
  readonly #records: StoredRecords<Item> = new Map()
  readonly #indexes = new Map<Index, Map<Key, StoredRecords<Item>>>()
  readonly #all: () => Cache
  #cache: TableCache | undefined
  version = 0

  /** `all` is asked for the cache of all tables when this one is first read by way of it. */
  constructor(keys: TableKeys<Item, ItemKey, Index>, all = () => new Cache()) {
    this.#keys = keys
    this.#all = all
  }

  keyOf(record: Frozen<Item>): ItemKey {
    return this.#keys.key(record)
  }

  indexValues(index: Index, record: Frozen<Item>): readonly Key[] {
    return this.#keys.indexes[index](record)
  }

  get(key: Key): Frozen<Item> | undefined {
    return this.#records.get(key)
  }

  has(key: Key): boolean {
    return this.#records.has(key)
  }

  list(): Frozen<Item>[] {
    return [...this.#records.values()]
  }

  oldestFirst(): Iterable<Frozen<Item>> {
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
    this.#cache ??= this.#all().of(this)
    return this.#cache
  }

  insert(): boolean {
    throw notInTransaction()
  }

  replace(): void {
    throw notInTransaction()
  }

  remove(): void {
    throw notInTransaction()
  }

  /** Puts a record under its key, or removes what is there. The record must be frozen. */
  set(key: Key, record: Frozen<Item> | undefined): void {
    const previous = this.#records.get(key)
    if (record === undefined) this.#records.delete(key)
    else this.#records.set(key, record)
    this.#reindex(key, previous, record)
    this.version++
  }

  /** Puts records that came back in front of those that they were in front of. */
  moveInFront(places: readonly (readonly [key: Key, next: Key])[]): void {
    moveInFront(this.#records, places)
    this.#indexes.clear()
  }

  clear(): void {
    this.version++
    this.#records.clear()
    this.#indexes.clear()
  }

  #index(index: Index): Map<Key, StoredRecords<Item>> {
    let entries = this.#indexes.get(index)
    if (entries === undefined) {
      entries = new Map()
      this.#indexes.set(index, entries)
      for (const [key, record] of this.#records) addToIndex(entries, this.indexValues(index, record), key, record)
    }
    return entries
  }

  /** A record that stays under a value keeps its place there, so lists keep their order. */
  #reindex(key: Key, previous: Frozen<Item> | undefined, record: Frozen<Item> | undefined): void {
    for (const [index, entries] of this.#indexes) {
      const before = previous === undefined ? none : this.indexValues(index, previous)
      const after = record === undefined ? none : this.indexValues(index, record)
      const lasting = new Set(after)
      for (const value of before) {
        if (lasting.has(value)) continue
        const found = entries.get(value)
        found?.delete(key)
        if (found?.size === 0) entries.delete(value)
      }
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

function notInTransaction(): Error {
  return new Error('Records are written in a transaction only. Does a GET operation write without `writes: true`?')
}
