import { deepFreeze, type Frozen, none } from '../../support/freeze.js'
import { Cache, type TableCache } from './cache.js'
import type { Change, Key, Table, TableKeys } from './table.js'

/** Records of one kind that requests can create in a world. */
export const RECORDS_KEPT = 250_000

/** Items of a list in a record, such as the links of a feature. */
export const ITEMS_KEPT = 10_000

/** A transaction would store more than a database holds. */
export class StoreFull extends Error {
  constructor(what: string, most: number) {
    super(`A world holds at most ${most.toLocaleString('en')} ${what}.`)
  }
}

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
  readonly #most: number
  #cache: TableCache | undefined
  /** What was under each key before the transaction wrote there, in the order in which it wrote. */
  readonly #before = new Map<Key, Frozen<Item> | undefined>()
  #orderBefore: readonly Key[] | undefined
  /** Whether a transaction is under way. */
  isWritable = false
  version = 0

  /** `all` is asked for the cache of all tables when this one is first read by way of it. */
  constructor(keys: TableKeys<Item, ItemKey, Index>, all = () => new Cache(), most = RECORDS_KEPT) {
    this.#keys = keys
    this.#all = all
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

  insert(record: Frozen<Item>): void {
    const key = this.keyOf(record)
    if (this.has(key)) throw new Error(`A record with the key ${JSON.stringify(key)} is there already.`)
    this.replace(record)
  }

  replace(record: Frozen<Item>): void {
    const key = this.keyOf(record)
    if (!this.has(key) && this.size >= this.#most) throw new StoreFull('records of one kind', this.#most)
    assertShortLists(record)
    // By `assign`, not by a spread: V8 gives a spread object that is frozen a hidden class of its own, which costs a
    // kilobyte per record and makes reading slow.
    this.write(key, deepFreeze(Object.assign({}, record)) as Frozen<Item>)
  }

  remove(key: Key): void {
    this.write(key, undefined)
  }

  /** Puts a frozen record under its key, or removes what is there. The transaction can take it back. */
  write(key: Key, record: Frozen<Item> | undefined): void {
    if (!this.isWritable) throw notInTransaction()
    const before = this.#before.has(key) ? this.#before.get(key) : this.get(key)
    this.#before.delete(key)
    this.#before.set(key, before)
    if (record === undefined && this.has(key)) this.#orderBefore ??= [...this.#records.keys()]
    this.set(key, record)
  }

  removeAll(): void {
    for (const key of [...this.#records.keys()]) this.remove(key)
  }

  /** What the transaction has written so far. */
  changes(): readonly Change<Item>[] {
    if (this.#before.size === 0) return none
    const changes: Change<Item>[] = []
    for (const [key, before] of this.#before) {
      const after = this.get(key)
      if (before !== undefined || after !== undefined) changes.push({ key, before, after })
    }
    // One that was pushed to has room for 17.
    return changes.slice()
  }

  /** The keys as they stood before the transaction, if it has removed any. */
  get orderBefore(): readonly Key[] | undefined {
    return this.#orderBefore
  }

  /** Ends the transaction. If its changes are not kept, all is as before. */
  end(isKept: boolean): void {
    this.isWritable = false
    if (this.#before.size === 0) return
    if (!isKept) {
      for (const [key, before] of this.#before) this.set(key, before)
      this.arrange(this.#orderBefore ?? none)
    }
    this.#before.clear()
    this.#orderBefore = undefined
  }

  /** Puts the records with some keys in front of all others, in the order of the keys. */
  arrange(keys: readonly Key[]): void {
    if (keys.length === 0) return
    const records = new Map(this.#records)
    this.#records.clear()
    for (const key of [...keys, ...records.keys()]) {
      const record = records.get(key)
      if (record !== undefined) this.#records.set(key, record)
    }
    this.#indexes.clear()
  }

  protected set(key: Key, record: Frozen<Item> | undefined): void {
    const previous = this.#records.get(key)
    if (record === undefined) this.#records.delete(key)
    else this.#records.set(key, record)
    this.#reindex(key, previous, record)
    this.version++
  }

  #index(index: Index): Map<Key, StoredRecords<Item>> {
    let entries = this.#indexes.get(index)
    if (entries === undefined) {
      entries = new Map()
      this.#indexes.set(index, entries)
      for (const [key, record] of this.#records) addToIndex(entries, this.#keys.indexes[index](record), key, record)
    }
    return entries
  }

  /** A record that stays under a value keeps its place there, so lists keep their order. */
  #reindex(key: Key, previous: Frozen<Item> | undefined, record: Frozen<Item> | undefined): void {
    for (const [index, entries] of this.#indexes) {
      const valuesOf = this.#keys.indexes[index]
      const before = previous === undefined ? none : valuesOf(previous)
      const after = record === undefined ? none : valuesOf(record)
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

/** Throws `StoreFull` where a record has a list that is too long. */
function assertShortLists(record: object): void {
  for (const field in record) {
    const value: unknown = record[field as keyof typeof record]
    if (Array.isArray(value) && value.length > ITEMS_KEPT) throw new StoreFull(`items in "${field}"`, ITEMS_KEPT)
  }
}

function notInTransaction(): Error {
  return new Error('Records are written in a transaction only. Does a GET operation write without `writes: true`?')
}
