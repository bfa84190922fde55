import { Collection } from '@msw/data'
import type { Key } from '../resources/shared/context.js'
import { deepFreeze, type Frozen } from '../support/freeze.js'
import { Handover, type HandoverSchema, handoverSchema } from './handover.js'

/** Records on one shelf: @msw/data finds a record to delete by scanning, so shelves stay short. */
const SHELF_SIZE = 64

export interface CollectionOptions<Item, ItemKey extends Key, Index extends string> {
  name: string
  key: (item: Frozen<Item>) => ItemKey
  /** For each index, the values under which a record is found. */
  indexes: Readonly<Record<Index, (item: Frozen<Item>) => readonly Key[]>>
}

type Shelf<Item> = Collection<HandoverSchema<Item>>

/** Where a record is: a seed is only here; what was written is a record of @msw/data as well. */
interface Entry<Item> {
  value: Frozen<Item>
  written?: { shelf: Shelf<Item>; record: object }
}

/** A change that is prepared, and not yet to be seen. `entry` is undefined where the record goes. */
export interface PreparedChange<Item> {
  key: Key
  entry: Entry<Item> | undefined
}

/**
 * Records of one kind under unique keys.
 *
 * What is written lives in @msw/data collections; this class gives them what they lack: keys, indexes, records that
 * nobody can change from outside, and a cost that does not grow with their number. The index decides what is visible,
 * and it changes in one synchronous step, so a reader never sees half a write.
 */
export class KeyedCollection<Item extends object, ItemKey extends Key, Index extends string> {
  readonly #options: CollectionOptions<Item, ItemKey, Index>
  readonly #schema: HandoverSchema<Item>
  #entries = new Map<Key, Entry<Item>>()
  #indexes = new Map<Index, Map<Key, Map<Key, Frozen<Item>>>>()
  readonly #claimed = new Set<Key>()
  #openShelf: Shelf<Item>

  constructor(options: CollectionOptions<Item, ItemKey, Index>) {
    this.#options = options
    this.#schema = handoverSchema()
    this.#openShelf = new Collection({ schema: this.#schema })
  }

  get name(): string {
    return this.#options.name
  }

  get size(): number {
    return this.#entries.size
  }

  keyOf(item: Frozen<Item>): ItemKey {
    return this.#options.key(item)
  }

  indexValues(index: Index, item: Frozen<Item>): readonly Key[] {
    return this.#options.indexes[index](item)
  }

  get(key: Key): Frozen<Item> | undefined {
    return this.#entries.get(key)?.value
  }

  has(key: Key): boolean {
    return this.#entries.has(key)
  }

  *values(): Generator<Frozen<Item>> {
    for (const { value } of this.#entries.values()) yield value
  }

  /** The records under a value of an index. The index is made when it is first asked for. */
  by(index: Index, value: Key): Iterable<Frozen<Item>> {
    return this.#index(index).get(value)?.values() ?? []
  }

  count(index: Index, value: Key): number {
    return this.#index(index).get(value)?.size ?? 0
  }

  /** Claims keys for new records, all or none: false if one is taken or claimed. To be released when the write ends. */
  claim(keys: readonly Key[]): boolean {
    if (keys.some((key) => this.#entries.has(key) || this.#claimed.has(key))) return false
    for (const key of keys) this.#claimed.add(key)
    return true
  }

  release(keys: readonly Key[]): void {
    for (const key of keys) this.#claimed.delete(key)
  }

  /** Makes the record of @msw/data that will stand under a key; nothing is visible until it is published. */
  async prepare(key: Key, value: Frozen<Item> | undefined): Promise<PreparedChange<Item>> {
    if (value === undefined) return { key, entry: undefined }
    const shelf = this.#entries.get(key)?.written?.shelf ?? this.#shelfWithRoom()
    const record = await shelf.create(new Handover(value))
    return { key, entry: { value: deepFreeze(record) as Frozen<Item>, written: { shelf, record } } }
  }

  /** Makes a prepared change visible. */
  publish({ key, entry }: PreparedChange<Item>): void {
    this.#set(key, entry)
  }

  /** Takes back what was prepared and will not be published. */
  discard({ entry }: PreparedChange<Item>): void {
    if (entry?.written !== undefined) removeFromShelf(entry.written)
  }

  /** Puts records in place at once, as they are: they must be valid, frozen, and are shared with whoever gave them. */
  load(items: Iterable<Frozen<Item>>, { replaceAll }: { replaceAll: boolean }): void {
    if (replaceAll) {
      this.#entries = new Map()
      this.#indexes = new Map()
      this.#openShelf = new Collection({ schema: this.#schema })
    }
    for (const value of items) this.#set(this.keyOf(value), { value })
  }

  #set(key: Key, entry: Entry<Item> | undefined): void {
    const previous = this.#entries.get(key)
    if (previous?.written !== undefined) removeFromShelf(previous.written)
    if (entry === undefined) this.#entries.delete(key)
    else this.#entries.set(key, entry)
    this.#reindex(key, previous?.value, entry?.value)
  }

  #index(index: Index): Map<Key, Map<Key, Frozen<Item>>> {
    let records = this.#indexes.get(index)
    if (records === undefined) {
      records = new Map()
      this.#indexes.set(index, records)
      for (const [key, { value }] of this.#entries) this.#addToIndex(records, index, key, value)
    }
    return records
  }

  #addToIndex(records: Map<Key, Map<Key, Frozen<Item>>>, index: Index, key: Key, value: Frozen<Item>): void {
    for (const under of this.indexValues(index, value)) {
      const found = records.get(under)
      if (found === undefined) records.set(under, new Map([[key, value]]))
      else found.set(key, value)
    }
  }

  /** A record that stays under a value keeps its place there, so lists keep their order. */
  #reindex(key: Key, previous: Frozen<Item> | undefined, value: Frozen<Item> | undefined): void {
    for (const [index, records] of this.#indexes) {
      const before = previous === undefined ? [] : this.indexValues(index, previous)
      const after = value === undefined ? [] : this.indexValues(index, value)
      for (const under of before) {
        if (after.includes(under)) continue
        const found = records.get(under)
        found?.delete(key)
        if (found?.size === 0) records.delete(under)
      }
      if (value !== undefined) this.#addToIndex(records, index, key, value)
    }
  }

  #shelfWithRoom(): Shelf<Item> {
    if (this.#openShelf.count() >= SHELF_SIZE) this.#openShelf = new Collection({ schema: this.#schema })
    return this.#openShelf
  }
}

function removeFromShelf<Item>({ shelf, record }: { shelf: Shelf<Item>; record: object }): void {
  shelf.delete(record as never)
}
