import { assigned, deepFreeze, type Frozen, none } from '../../support/freeze.js'
import type { Cache, TableCache } from './cache.js'
import { changesBetween, EventMap, type Numbered, RecordMap } from './record-map.js'
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
interface OwningDatabase {
  readonly cache: Cache
  /** Whether a transaction is running. */
  readonly isWriting: boolean
}

/** A table: its records, and the changes of the running transaction. */
export class Collection<
  Item extends object,
  ItemKey extends Key,
  Index extends string,
  Records extends RecordMap<Item> = RecordMap<Item>,
> implements Table<Item, ItemKey, Index>
{
  readonly #keys: TableKeys<Item, ItemKey, Index>
  readonly #owner: OwningDatabase
  readonly #most: number
  protected records: Records
  /** Whether others have its map of records too. */
  #isShared = false
  #cache: TableCache | undefined
  /** The earlier record and place of each key that the transaction has written. */
  #before: Map<Key, Pick<Change<Item>, 'before' | 'from'>> | undefined
  version = 0

  /** Starts empty, or with shared records. */
  constructor(keys: TableKeys<Item, ItemKey, Index>, owner: OwningDatabase, records?: Records, most = RECORDS_KEPT) {
    this.#keys = keys
    this.#owner = owner
    this.records = records ?? this.emptyRecords(keys)
    this.#isShared = records !== undefined
    this.#most = most
  }

  protected emptyRecords({ indexes }: TableKeys<Item, ItemKey, Index>): Records {
    return new RecordMap(indexes) as Records
  }

  keyOf(record: Frozen<Item>): ItemKey {
    return this.#keys.key(record)
  }

  get(key: Key): Frozen<Item> | undefined {
    return this.records.get(key)
  }

  has(key: Key): boolean {
    return this.records.has(key)
  }

  list(): Frozen<Item>[] {
    return this.records.list()
  }

  oldestFirst(): Iterable<Frozen<Item>> {
    return this.records.oldestFirst()
  }

  get size(): number {
    return this.records.size
  }

  by(index: Index, value: Key): Frozen<Item>[] {
    const found = this.records.by(index, value)
    return found === undefined ? [] : [...found.values()]
  }

  count(index: Index, value: Key): number {
    return this.records.by(index, value)?.size ?? 0
  }

  get cache(): TableCache {
    this.#cache ??= this.#owner.cache.forTable(this)
    return this.#cache
  }

  insert(record: Frozen<Item>): void {
    const key = this.keyOf(record)
    if (this.has(key)) throw new Error(`A record with the key ${JSON.stringify(key)} already exists.`)
    this.replace(record)
  }

  replace(record: Frozen<Item>): void {
    const key = this.keyOf(record)
    if (this.records.size >= this.#most && !this.has(key)) throw tooMany('records of one kind', this.#most)
    assertShortLists(record)
    this.write(key, deepFreeze(assigned(record)) as Frozen<Item>)
  }

  remove(key: Key): void {
    this.write(key, undefined)
  }

  /**
   * Stores a frozen record under its key, or removes the record there. Without a place, the record stays at its key's
   * earlier place in the transaction, or goes to the end.
   */
  write(key: Key, record: Frozen<Item> | undefined, place?: number): void {
    if (!this.#owner.isWriting) {
      throw new Error(
        'Records can be written only in a transaction. Does a GET operation write without `writes: true`?',
      )
    }
    const records = this.toWrite()
    this.#before ??= new Map()
    const found = this.#before.get(key)
    if (found === undefined) {
      const before = records.get(key)
      this.#before.set(key, { before, from: before === undefined ? undefined : records.placeOf(key) })
    }
    // A record that the transaction has removed comes back to its place.
    const earlier = found?.from === undefined || records.has(key) ? undefined : found.from
    records.set(key, record, place ?? earlier)
    this.version++
  }

  /** Whether the running transaction has written to it. */
  get isWritten(): boolean {
    return this.#before !== undefined
  }

  /** The differences from earlier records, by identity. Unlike `share`, it leaves its map of records alone. */
  changesSince(earlier: RecordMap<object> | undefined): readonly Change[] {
    return changesBetween(earlier, this.records)
  }

  /** Whether it has exactly this map of records, so that nothing was written since. */
  hasRecords(records: RecordMap<object> | undefined): boolean {
    return (this.records as RecordMap<object>) === records
  }

  /** Its records, to be shared: nobody changes them from now on. */
  share(): Records {
    this.#isShared = true
    return this.records
  }

  /** Replaces its records by shared records. */
  adopt(records: Records): void {
    if (records === this.records) return
    this.records = records
    this.#isShared = true
    this.version++
  }

  /** The changes of the transaction. */
  changes(): readonly Change<Item>[] {
    if (this.#before === undefined) return none
    const changes: Change<Item>[] = []
    for (const [key, { before, from }] of this.#before) {
      const after = this.get(key)
      if (before !== undefined || after !== undefined) {
        changes.push({ key, before, after, from, to: this.records.placeOf(key) })
      }
    }
    // Copied, because a list that was pushed to has room for 17.
    return changes.slice()
  }

  /** Ends the transaction. If its changes are not kept, restores the earlier state. */
  end(isKept: boolean): void {
    if (this.#before === undefined) return
    if (!isKept) {
      for (const [key, { before, from }] of this.#before) this.toWrite().set(key, before, from)
      this.version++
    }
    this.#before = undefined
  }

  protected toWrite(): Records {
    if (this.#isShared) {
      this.records = this.records.copy() as Records
      this.#isShared = false
    }
    return this.records
  }
}

/** Throws `StoreFull` if a record has a list that is too long. */
function assertShortLists(record: object): void {
  for (const field in record) {
    const value: unknown = record[field as keyof typeof record]
    if (Array.isArray(value) && value.length > ITEMS_KEPT) throw tooMany(`items in "${field}"`, ITEMS_KEPT)
  }
}

/** The table of events, which grows at its end. */
export interface EventLog<Event extends Numbered, Index extends string = never> extends Table<Event, number, Index> {
  readonly nextId: number
  /** All stored events, newest first. */
  newestFirst(): Iterable<Frozen<Event>>
  /** The number of events so far, including dropped events. */
  readonly total: number
}

/** The maximum events in a log. It drops the oldest first. */
export const EVENTS_KEPT = 10_000

/** The log of a world. */
export class EventCollection extends Collection<Numbered, Key, string, EventMap> implements EventLog<Numbered> {
  protected override emptyRecords({ indexes }: TableKeys<Numbered, Key, string>): EventMap {
    return new EventMap(indexes)
  }

  get total(): number {
    return this.records.dropped + this.size
  }

  get nextId(): number {
    return (this.records.inOrder().at(-1)?.id ?? 0) + 1
  }

  *newestFirst(): Generator<Frozen<Numbered>> {
    const events = this.records.inOrder()
    for (let position = events.length - 1; position >= 0; position--) {
      const event = events[position]
      if (event !== undefined) yield event
    }
  }

  /** Drops events only at the commit: a dropped event doesn't come back. */
  override end(isKept: boolean): void {
    super.end(isKept)
    const excess = this.records.size - EVENTS_KEPT
    if (excess > 0) this.toWrite().dropOldest(excess)
  }
}
