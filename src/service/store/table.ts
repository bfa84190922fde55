import type { Frozen } from '../../support/freeze.js'
import type { TableCache } from './cache.js'

export type Key = string | number

/** One kind of record, as an operation reads and writes it. Records are frozen. */
export interface Table<Item, ItemKey extends Key, Index extends string = never> {
  get(key: ItemKey): Frozen<Item> | undefined
  has(key: ItemKey): boolean
  /** All records, in the order in which they were added. */
  list(): Frozen<Item>[]
  /** All records, one by one, for code that looks only at the first few. */
  oldestFirst(): Iterable<Frozen<Item>>
  readonly size: number
  /** The records under a value of an index. */
  by(index: Index, value: Key): Frozen<Item>[]
  count(index: Index, value: Key): number
  /** A number that grows with each commit that changes the table. */
  readonly version: number
  /** Results computed from its records. */
  readonly cache: TableCache
  /** Adds a record. Throws if its key is taken, so that no record gets lost. */
  insert(record: Frozen<Item>): void
  /** Puts a record in the place of the one with its key, or adds it. */
  replace(record: Frozen<Item>): void
  remove(key: ItemKey): void
}

/** Checked bivariantly, so that a list of all kinds of records can be typed: each kind accepts only its own records. */
export type IndexFunction<Item> = { of(record: Frozen<Item>): readonly Key[] }['of']

/** The store's knowledge about a kind of record. */
export interface TableKeys<Item, ItemKey extends Key, Index extends string> {
  key(record: Frozen<Item>): ItemKey
  /** For each index, the values under which it lists a record. */
  indexes: Readonly<Record<Index, IndexFunction<Item>>>
  /** Whether the table is a log: its records have growing numbers, and the oldest are dropped. */
  log?: true
}

/** Any kind of record, for code that handles all kinds alike. */
export type AnyTableKeys = TableKeys<object, Key, string>

/** A change of one record: `before` is undefined for a new record, `after` for a removed record. */
export interface Change<Item = object> {
  readonly key: Key
  readonly before: Frozen<Item> | undefined
  readonly after: Frozen<Item> | undefined
  /** The places of `before` and `after` in the order of the table. */
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** All changes of one write. They become visible in one step. */
export interface Commit {
  /** By table name. */
  readonly changes: ReadonlyMap<string, readonly Change[]>
}
