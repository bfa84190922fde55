import { deepFreeze, type Frozen, none } from '../support/freeze.js'
import { Listeners } from '../support/listeners.js'
import { Collection } from './collection.js'
import { EventCollection, type EventLog, type Numbered, StagedEventLog } from './event-log.js'
import { type AnyCollection, StagedTable } from './staged-table.js'
import type { AnyTableKeys, Change, Commit, Key, Table, TableKeys } from './table.js'

/** The tables of a database, each typed by its declaration, and the event log. */
export type TablesOf<Declarations, Event extends Numbered> = {
  readonly [Name in keyof Declarations]: Declarations[Name] extends TableKeys<infer Item, infer ItemKey, infer Index>
    ? Table<Item, ItemKey, Index>
    : never
} & { readonly events: EventLog<Event> }

type Declarations = Readonly<Record<string, AnyTableKeys>>

/** Everything that a database holds at one moment. The records are shared, since nobody can change them. */
export interface Contents<Event> {
  /** By the name of the table. */
  readonly lists: ReadonlyMap<string, readonly Frozen<object>[]>
  readonly events: readonly Frozen<Event>[]
}

/**
 * All records of one world. Everything is synchronous: a transaction runs from its first read to its commit without
 * anything in between, so two writes can't interleave. What it stages becomes visible in one step, or not at all.
 */
export class Database<Kinds extends Declarations, Event extends Numbered> {
  /** The tables as they are now, for reading. A write throws. */
  readonly tables: TablesOf<Kinds, Event>
  readonly #collections = new Map<string, AnyCollection>()
  readonly #log = new EventCollection<Event>()
  /** One set for all transactions: they are synchronous, so there is only one at a time. */
  readonly #staged = new Map<string, StagedTable>()
  readonly #stagedLog = new StagedEventLog<Event>(this.#log)
  readonly #writable: TablesOf<Kinds, Event>
  readonly #listeners = new Listeners<[commit: Commit<Event>]>()
  #guard: ((commit: Commit<Event>) => void) | undefined

  constructor(declarations: Kinds) {
    for (const [name, keys] of Object.entries(declarations)) {
      const collection = new Collection(keys)
      this.#collections.set(name, collection)
      this.#staged.set(name, new StagedTable(collection))
    }
    this.tables = asTables<Kinds, Event>(this.#collections, this.#log)
    this.#writable = asTables<Kinds, Event>(this.#staged, this.#stagedLog)
  }

  get isEmpty(): boolean {
    return this.size === 0
  }

  /** The number of all records, and of all events so far. */
  get size(): number {
    let size = this.#log.total
    for (const collection of this.#collections.values()) size += collection.size
    return size
  }

  /** All events that are kept, oldest first. */
  get events(): Frozen<Event>[] {
    return this.#log.all()
  }

  /**
   * Runs a function on tables of its own, and commits what it wrote there, unless it is not to be kept. If the function
   * throws, nothing is changed.
   */
  transact<Result>(run: (tables: TablesOf<Kinds, Event>) => Result, isKept = true): Result {
    try {
      const result = run(this.#writable)
      if (isKept) this.#commit(changesOf(this.#staged), this.#stagedLog.staged)
      return result
    } finally {
      for (const table of this.#staged.values()) table.discard()
      this.#stagedLog.discard()
    }
  }

  /**
   * Puts records and events in place in one step, without copying them: they must be valid and nobody else's. With
   * `replacesAll`, they take the place of everything that is there; else of the records with the keys in `removed`.
   */
  load(
    records: { readonly [Name in keyof Kinds]?: readonly object[] },
    events: readonly Event[],
    {
      replacesAll,
      removed = {},
    }: { replacesAll: boolean; removed?: { readonly [Name in keyof Kinds]?: readonly Key[] } },
  ): void {
    const changes = new Map<string, Change[]>()
    for (const [name, collection] of this.#collections) {
      const changed: Change[] = []
      const change = (key: Key, after: Frozen<object> | undefined) =>
        changed.push({ key, before: replacesAll ? undefined : collection.get(key), after })
      for (const key of removed[name] ?? none) change(key, undefined)
      for (const record of deepFreeze(records[name] ?? none)) change(collection.keyOf(record), record)
      if (changed.length > 0) changes.set(name, changed)
    }
    this.apply({ changes, events: deepFreeze(events), replacesAll })
  }

  contents(): Contents<Event> {
    const lists = new Map<string, readonly Frozen<object>[]>()
    for (const [name, collection] of this.#collections) lists.set(name, collection.list())
    return { lists, events: this.events }
  }

  /** Replaces everything by what a database of these kinds held at some moment. */
  replaceBy({ lists, events }: Contents<Event>): void {
    const changes = new Map<string, Change[]>()
    for (const [name, collection] of this.#collections) {
      const list = lists.get(name) ?? none
      changes.set(
        name,
        list.map((after) => ({ key: collection.keyOf(after), before: undefined, after })),
      )
    }
    this.apply({ changes, events, replacesAll: true })
  }

  /** Calls back before each commit. If that throws, nothing is changed. */
  guardWith(guard: (commit: Commit<Event>) => void): void {
    this.#guard = guard
  }

  /** Calls back after each commit. Returns a function that unsubscribes. */
  onCommit(listener: (commit: Commit<Event>) => void): () => void {
    return this.#listeners.add(listener)
  }

  #commit(changes: Commit['changes'], events: readonly Frozen<Event>[]): void {
    if (changes.size > 0 || events.length > 0) this.apply({ changes, events, replacesAll: false })
  }

  /** Makes a commit, as it was made before or elsewhere. */
  apply(commit: Commit<Event>): void {
    this.#guard?.(commit)
    if (commit.replacesAll) {
      for (const collection of this.#collections.values()) collection.clear()
      this.#log.clear()
    }
    for (const [name, changes] of commit.changes) {
      const collection = this.#collections.get(name)
      for (const { key, after } of changes) collection?.set(key, after)
    }
    this.#log.add(commit.events)
    this.#listeners.notify(commit)
  }
}

/** Maps of tables are untyped; their declarations say what each of them holds. */
function asTables<Kinds, Event extends Numbered>(tables: ReadonlyMap<string, object>, events: EventLog<Event>) {
  const named: Record<string, object> = { events }
  // V8 takes ten times as long for `Object.fromEntries`, and each mock has two of these.
  tables.forEach((table, name) => {
    named[name] = table
  })
  return named as unknown as TablesOf<Kinds, Event>
}

function changesOf(staged: ReadonlyMap<string, StagedTable>): Map<string, readonly Change[]> {
  const changes = new Map<string, readonly Change[]>()
  // `for … of` would make a pair for each table, and most have no changes.
  staged.forEach((table, name) => {
    const ofTable = table.changes()
    if (ofTable.length > 0) changes.set(name, ofTable)
  })
  return changes
}
