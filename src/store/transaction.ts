import type { Tables } from '../resources/shared/context.js'
import type { Collections, TableName } from './collections.js'
import { tableNames } from './collections.js'
import type { StoredEventLog } from './event-log.js'
import { type AnyCollection, StagedEvents, StagedTable } from './staged.js'

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
