import { deepFreeze, type Frozen, none } from '../../support/freeze.js'
import { weightOfRecord } from '../../support/json-text.js'
import { grouped } from '../../support/lists.js'
import { Cache, type TableCache, uncached } from './cache.js'
import type { Change, Key, Table, TableKeys } from './table.js'

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

/** Moves entries of a map in front of others, which stay, those of the same one in the order in which they are given. */
export function moveInFront<Value>(map: Map<Key, Value>, places: readonly (readonly [key: Key, next: Key])[]): void {
  const moving = new Set(places.map(([key]) => key))
  const nexts = new Map(places.filter(([key, next]) => map.has(key) && map.has(next) && !moving.has(next)))
  const groups = grouped(nexts, ([, next]) => next)
  const before = new Map(map)
  map.clear()
  for (const [key, value] of before) {
    if (nexts.has(key)) continue
    for (const [moved] of groups.get(key) ?? []) map.set(moved, before.get(moved) as Value)
    map.set(key, value)
  }
}

function notInTransaction(): Error {
  return new Error('Records are written in a transaction only. Does a GET operation write without `writes: true`?')
}

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
    if (this.has(key)) throw new Error(`A record with the key ${JSON.stringify(key)} already exists.`)
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

/** What every event has: a number that grows. */
export interface Numbered {
  id: number
}

/** The table of events, which grows at its end. */
export interface EventLog<Event extends Numbered> extends Table<Event, number> {
  readonly nextId: number
  /** All events that are kept, newest first. */
  newestFirst(): Iterable<Frozen<Event>>
  /** The number of events so far, those that are no longer kept included. */
  readonly total: number
  /** Counts what its events weigh in a budget, which has it drop the oldest; undefined: in none. */
  countIn(budget: EventBudget | undefined): void
}

/** A budget that several logs share. */
interface EventBudget {
  add(log: { readonly isEmpty: boolean; dropOldest(): void }, amount: number): void
  remove(amount: number): void
  forget(log: object): void
}

/** Events that a log keeps. The oldest are dropped first. */
export const EVENTS_KEPT = 10_000

/** Events beyond that number that may pile up before they are dropped in one go. */
const SLACK = 1000

/** The log of a world: its events by their ids, and in the order of these. */
export class EventCollection extends Collection<Numbered, Key, string> implements EventLog<Numbered> {
  /** Oldest first. Undefined after a change that was not at its end. */
  #ordered: Frozen<Numbered>[] | undefined = []
  #dropped = 0
  #budget: EventBudget | undefined
  #weight = 0

  countIn(budget: EventBudget | undefined): void {
    this.#forgetWeight()
    this.#budget = budget
    for (const event of super.list()) this.#weigh(weightOfRecord(event))
  }

  /** Whether it has nothing to drop: the newest event stays, since its number is the last one. */
  get isEmpty(): boolean {
    return super.size <= 1
  }

  dropOldest(): void {
    const oldest = this.#inOrder().shift()
    if (oldest === undefined) return
    super.set(oldest.id, undefined)
    this.#weigh(-weightOfRecord(oldest))
    this.#dropped++
  }

  get total(): number {
    return this.#dropped + super.size
  }

  get nextId(): number {
    return (this.#inOrder().at(-1)?.id ?? 0) + 1
  }

  override get size(): number {
    return Math.min(super.size, EVENTS_KEPT)
  }

  override list(): Frozen<Numbered>[] {
    return this.#inOrder().slice(-EVENTS_KEPT)
  }

  override oldestFirst(): Iterable<Frozen<Numbered>> {
    return this.list()
  }

  *newestFirst(): Generator<Frozen<Numbered>> {
    const events = this.#inOrder()
    const oldest = Math.max(0, events.length - EVENTS_KEPT)
    for (let position = events.length - 1; position >= oldest; position--) {
      const event = events[position]
      if (event !== undefined) yield event
    }
  }

  override set(id: Key, event: Frozen<Numbered> | undefined): void {
    const before = super.get(id)
    super.set(id, event)
    const newest = this.#ordered?.at(-1)?.id ?? 0
    if (event !== undefined && event.id > newest) this.#ordered?.push(event)
    else this.#ordered = undefined
    if (before !== undefined) this.#weigh(-weightOfRecord(before))
    if (event !== undefined) this.#weigh(weightOfRecord(event))
    if (super.size >= EVENTS_KEPT + SLACK) this.#dropMany()
  }

  override clear(): void {
    super.clear()
    this.#ordered = []
    this.#dropped = 0
    this.#forgetWeight()
  }

  #inOrder(): Frozen<Numbered>[] {
    this.#ordered ??= super.list().toSorted((one, other) => one.id - other.id)
    return this.#ordered
  }

  #weigh(amount: number): void {
    this.#weight += amount
    if (amount < 0) this.#budget?.remove(-amount)
    else this.#budget?.add(this, amount)
  }

  #forgetWeight(): void {
    this.#budget?.remove(this.#weight)
    this.#budget?.forget(this)
    this.#weight = 0
  }

  #dropMany(): void {
    const events = this.#inOrder()
    const dropped = events.slice(0, -EVENTS_KEPT)
    for (const event of dropped) {
      super.set(event.id, undefined)
      this.#weigh(-weightOfRecord(event))
    }
    this.#dropped += dropped.length
    this.#ordered = events.slice(-EVENTS_KEPT)
  }
}

/** The log as one transaction sees it: its own events are seen in the order and the number with the commit. */
export class StagedEvents extends StagedTable {
  readonly #log: EventCollection

  constructor(log: EventCollection) {
    super(log)
    this.#log = log
  }

  get total(): number {
    return this.#log.total
  }

  get nextId(): number {
    return this.#log.nextId + this.growth
  }

  newestFirst(): Iterable<Frozen<Numbered>> {
    return this.#log.newestFirst()
  }
}
