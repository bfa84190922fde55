import type { EventRecord } from '../resources/instance/events/schema.js'
import type { EventLog, Key, Table } from '../resources/shared/context.js'
import type { Frozen } from '../support/freeze.js'
import type { StoredEventLog } from './event-log.js'
import type { KeyedCollection, PreparedChange } from './keyed-collection.js'

export type AnyCollection = KeyedCollection<object, Key, string>

/** What one operation sees of a table, and what it changes there. */
export class StagedTable implements Table<object, Key, string> {
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

/** The events of one operation, after those that there were. */
export class StagedEvents implements EventLog {
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
