import { deepFreeze, type Frozen, none } from '../../support/freeze.js'
import { uncached } from './cache.js'
import type { Collection } from './collection.js'
import type { Change, Key, Table } from './table.js'

export type AnyCollection = Collection<object, Key, string>

/** Records of one kind that requests can create in a world. */
export const RECORDS_KEPT = 250_000

/** Items of a list in a record, such as the links of a feature. */
export const ITEMS_KEPT = 10_000

/** A table as one transaction sees it: what is stored, with the changes that it makes on top. */
export class StagedTable implements Table<object, Key, string> {
  readonly cache = uncached
  readonly #collection: AnyCollection
  readonly #most: number
  /** Undefined until the first write: an operation writes one table of twenty. */
  #staged: Map<Key, Frozen<object> | undefined> | undefined
  /** By the names of those that were asked for since the first write. */
  readonly #stagedIndexes = new Map<string, Map<Key, Set<Key>>>()
  /** How many records it has more than the collection. */
  protected growth = 0

  constructor(collection: AnyCollection, most: number = RECORDS_KEPT) {
    this.#collection = collection
    this.#most = most
  }

  get(key: Key): Frozen<object> | undefined {
    return this.#staged?.has(key) ? this.#staged.get(key) : this.#collection.get(key)
  }

  has(key: Key): boolean {
    return this.get(key) !== undefined
  }

  list(): Frozen<object>[] {
    return this.#staged === undefined ? this.#collection.list() : [...this.oldestFirst()]
  }

  *oldestFirst(): Generator<Frozen<object>> {
    for (const stored of this.#collection.oldestFirst()) {
      const record = this.get(this.#collection.keyOf(stored))
      if (record !== undefined) yield record
    }
    for (const [key, record] of this.#staged ?? []) {
      if (record !== undefined && !this.#collection.has(key)) yield record
    }
  }

  get size(): number {
    return this.#collection.size + this.growth
  }

  get version(): number {
    return this.#collection.version
  }

  by(index: string, value: Key): Frozen<object>[] {
    const stored = this.#collection.by(index, value)
    if (this.#staged === undefined) return stored
    const keys = new Set(stored.map((record) => this.#collection.keyOf(record)))
    for (const key of this.#stagedKeys(index).get(value) ?? none) keys.add(key)
    const records = [...keys].flatMap((key) => this.get(key) ?? [])
    return records.filter((record) => this.#collection.indexValues(index, record).includes(value))
  }

  count(index: string, value: Key): number {
    return this.#staged === undefined ? this.#collection.count(index, value) : this.by(index, value).length
  }

  insert(record: Frozen<object>): void {
    const key = this.#collection.keyOf(record)
    if (this.has(key)) throw new Error(`A record with the key ${JSON.stringify(key)} is there already.`)
    this.#change(key, record)
  }

  replace(record: Frozen<object>): void {
    this.#change(this.#collection.keyOf(record), record)
  }

  remove(key: Key): void {
    this.#change(key, undefined)
  }

  /** The changes, their records frozen. */
  changes(): readonly Change[] {
    if (this.#staged === undefined) return none
    const changes: Change[] = []
    for (const [key, staged] of this.#staged) {
      const before = this.#collection.get(key)
      if (before === undefined && staged === undefined) continue
      changes.push({ key, before, after: staged && freezeCopy(staged) })
    }
    // One that was pushed to has room for 17.
    return changes.slice()
  }

  /** Forgets the changes, so that the next transaction can begin. */
  discard(): void {
    // V8 makes a new table when it clears a map, and most tables have no changes.
    if (this.#staged === undefined) return
    this.#staged = undefined
    this.#stagedIndexes.clear()
    this.growth = 0
  }

  #change(key: Key, record: Frozen<object> | undefined): void {
    if (record !== undefined) assertShortLists(record)
    const growth = Number(record !== undefined) - Number(this.has(key))
    if (growth > 0 && this.size + growth > this.#most) throw new StoreFull('records of one kind', this.#most)
    this.growth += growth
    this.#staged ??= new Map()
    this.#staged.set(key, record)
    if (record === undefined) return
    for (const [index, keys] of this.#stagedIndexes) this.#note(keys, index, key, record)
  }

  /** The keys of what was staged under each value of an index, some of them no longer. */
  #stagedKeys(index: string): Map<Key, Set<Key>> {
    let keys = this.#stagedIndexes.get(index)
    if (keys === undefined) {
      keys = new Map()
      this.#stagedIndexes.set(index, keys)
      for (const [key, record] of this.#staged ?? []) if (record !== undefined) this.#note(keys, index, key, record)
    }
    return keys
  }

  #note(keys: Map<Key, Set<Key>>, index: string, key: Key, record: Frozen<object>): void {
    for (const value of this.#collection.indexValues(index, record)) {
      const found = keys.get(value)
      if (found === undefined) keys.set(value, new Set([key]))
      else found.add(key)
    }
  }
}

/**
 * Copies by `assign`, not by a spread: V8 gives a spread object that is frozen a hidden class of its own, which costs a
 * kilobyte per record and makes reading slow.
 */
function freezeCopy(record: Frozen<object>): Frozen<object> {
  return deepFreeze(Object.assign({}, record))
}

/** A transaction would store more than a database holds. */
export class StoreFull extends Error {
  constructor(what: string, most: number) {
    super(`A world holds at most ${most.toLocaleString('en')} ${what}.`)
  }
}

/** Throws `StoreFull` where a record has a list that is too long. */
function assertShortLists(record: Frozen<object>): void {
  for (const field in record) {
    const value: unknown = record[field as keyof typeof record]
    if (Array.isArray(value) && value.length > ITEMS_KEPT) throw new StoreFull(`items in "${field}"`, ITEMS_KEPT)
  }
}
