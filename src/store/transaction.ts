import type { EventRecord } from '../resources/events/schema.js'
import type { EventLog, Key, Table, Tables } from '../resources/world.js'
import type { Frozen } from '../support/freeze.js'
import type { Collections, TableName } from './collections.js'
import { tableNames } from './collections.js'
import type { StoredEventLog } from './event-log.js'
import type { KeyedCollection, PreparedChange } from './keyed-collection.js'

type AnyCollection = KeyedCollection<object, Key, string>

/**
 * What one operation reads and writes. Its writes are staged: the operation sees them, nobody else does,
 * until they are published, all in one synchronous step.
 */
export class Transaction {
  readonly tables: Tables
  readonly #collections: Collections
  readonly #opened = new Map<TableName, StagedTable>()
  readonly #events: StagedEvents

  constructor(collections: Collections, log: StoredEventLog) {
    this.#collections = collections
    this.#events = new StagedEvents(log)
    this.tables = new OpenableTables((name) => this.#open(name), this.#events) as unknown as Tables
  }

  get isEmpty(): boolean {
    return this.#events.staged.length === 0 && this.#touched().length === 0
  }

  /** Claims the keys of all new records; false, with nothing claimed, if one is not free any more. */
  claim(): boolean {
    const claimed: StagedTable[] = []
    for (const table of this.#touched()) {
      if (table.claim()) {
        claimed.push(table)
        continue
      }
      for (const other of claimed) other.release()
      return false
    }
    return true
  }

  /** Hands the staged records to @msw/data. */
  async prepare(): Promise<void> {
    for (const table of this.#touched()) await table.prepare()
  }

  publish(): void {
    for (const table of this.#touched()) table.publish()
    this.#events.publish()
  }

  discard(): void {
    for (const table of this.#touched()) table.discard()
  }

  release(): void {
    for (const table of this.#touched()) table.release()
  }

  #open(name: TableName): StagedTable {
    const opened = this.#opened.get(name)
    if (opened !== undefined) return opened
    const table = new StagedTable(this.#collections[name] as unknown as AnyCollection)
    this.#opened.set(name, table)
    return table
  }

  #touched(): StagedTable[] {
    return [...this.#opened.values()].filter(({ changes }) => changes.size > 0)
  }
}

/** The tables by name, each opened when it is first asked for: an operation uses two or three of them. */
class OpenableTables {
  readonly open: (name: TableName) => StagedTable
  readonly events: StagedEvents

  constructor(open: (name: TableName) => StagedTable, events: StagedEvents) {
    this.open = open
    this.events = events
  }

  static {
    for (const name of tableNames) {
      Object.defineProperty(OpenableTables.prototype, name, {
        get(this: OpenableTables) {
          return this.open(name)
        },
      })
    }
  }
}

class StagedTable implements Table<object, Key, string> {
  readonly #collection: AnyCollection
  readonly changes = new Map<Key, Frozen<object> | undefined>()
  #inserted: Key[] = []
  #prepared: PreparedChange<object>[] = []

  constructor(collection: AnyCollection) {
    this.#collection = collection
  }

  get(key: Key): Frozen<object> | undefined {
    return this.changes.has(key) ? this.changes.get(key) : this.#collection.get(key)
  }

  has(key: Key): boolean {
    return this.get(key) !== undefined
  }

  list(): Frozen<object>[] {
    return this.#withChanges(this.#collection.values(), () => true)
  }

  by(index: string, value: Key): Frozen<object>[] {
    return this.#withChanges(this.#collection.by(index, value), (item) =>
      this.#collection.indexValues(index, item).includes(value),
    )
  }

  count(index: string, value: Key): number {
    return this.changes.size === 0 ? this.#collection.count(index, value) : this.by(index, value).length
  }

  insert(record: Frozen<object>): boolean {
    const key = this.#collection.keyOf(record)
    if (this.has(key)) return false
    this.changes.set(key, record)
    this.#inserted.push(key)
    return true
  }

  replace(record: Frozen<object>): void {
    this.changes.set(this.#collection.keyOf(record), record)
  }

  remove(key: Key): void {
    this.changes.set(key, undefined)
  }

  claim(): boolean {
    return this.#inserted.length === 0 || this.#collection.claim(this.#inserted)
  }

  release(): void {
    this.#collection.release(this.#inserted)
  }

  async prepare(): Promise<void> {
    for (const [key, value] of this.changes) this.#prepared.push(await this.#collection.prepare(key, value))
  }

  publish(): void {
    for (const change of this.#prepared) this.#collection.publish(change)
  }

  discard(): void {
    for (const change of this.#prepared) this.#collection.discard(change)
    this.#prepared = []
  }

  #withChanges(stored: Iterable<Frozen<object>>, isAsked: (item: Frozen<object>) => boolean): Frozen<object>[] {
    if (this.changes.size === 0) return [...stored]
    const untouched = [...stored].filter((item) => !this.changes.has(this.#collection.keyOf(item)))
    const changed = [...this.changes.values()].filter((item) => item !== undefined)
    return [...untouched, ...changed.filter(isAsked)]
  }
}

class StagedEvents implements EventLog {
  readonly #log: StoredEventLog
  readonly staged: EventRecord[] = []

  constructor(log: StoredEventLog) {
    this.#log = log
  }

  get total(): number {
    return this.#log.total
  }

  get nextId(): number {
    return this.#log.nextId + this.staged.length
  }

  append(event: EventRecord): void {
    this.staged.push(event)
  }

  newest(limit: number): Frozen<EventRecord>[] {
    return this.#log.newest(limit)
  }

  newestFirst(): Iterable<Frozen<EventRecord>> {
    return this.#log.newestFirst()
  }

  publish(): void {
    for (const event of this.staged) this.#log.append(event)
  }
}
