import { deepFreeze, none } from '../../support/freeze.js'
import { Listeners } from '../../support/listeners.js'
import { Cache } from './cache.js'
import { Collection, EventCollection, type EventLog } from './collection.js'
import { changesBetween, type EventMap, type Numbered, type RecordMap } from './record-map.js'
import type { AnyTableKeys, Change, Commit, Key, Table, TableKeys } from './table.js'

/** The tables of a database, each typed by its declaration. */
export type TablesOf<Declarations> = {
  readonly [Name in keyof Declarations]: Declarations[Name] extends TableKeys<infer Item, infer ItemKey, infer Index>
    ? Declarations[Name] extends { log: true }
      ? EventLog<Item & Numbered, Index>
      : Table<Item, ItemKey, Index>
    : never
}

type Declarations = Readonly<Record<string, AnyTableKeys>>

type AnyCollection = Collection<object, Key, string>

/** All records of a database at one point in time, by the names of the tables. Databases share them. */
export type Contents = ReadonlyMap<string, RecordMap<object>>

/** One write that replaced all records. */
export interface Replacement {
  readonly before: Contents
  readonly after: Contents
}

/**
 * All records of one world. Everything is synchronous: nothing else runs between the first read of a transaction and its
 * commit, so writes can't interleave, and nobody else sees uncommitted changes.
 */
export class Database<Kinds extends Declarations> {
  /** A write outside of a transaction throws. */
  readonly tables: TablesOf<Kinds>
  /** Results computed from records. A mock has one cache for all its worlds. */
  cache = new Cache()
  isWriting = false
  readonly #declarations: Kinds
  readonly #collections = new Map<string, AnyCollection>()
  readonly #listeners = new Listeners()
  #guard: ((commit: Commit | Replacement) => void) | undefined

  /** Starts empty, or with the contents of another database of these kinds. */
  constructor(declarations: Kinds, contents?: Contents) {
    this.#declarations = declarations
    for (const [name, keys] of Object.entries(declarations)) {
      const records = contents?.get(name)
      this.#collections.set(
        name,
        keys.log
          ? new EventCollection(keys, this, records as EventMap | undefined)
          : new Collection(keys, this, records),
      )
    }
    // Maps of tables are untyped; the declarations give the type of each table.
    this.tables = Object.fromEntries(this.#collections) as unknown as TablesOf<Kinds>
  }

  get isEmpty(): boolean {
    return [...this.#collections.values()].every(({ size }) => size === 0)
  }

  /**
   * Runs a function that reads and writes the tables, and commits its changes, unless they are not to be kept. If the
   * function throws, nothing changes.
   */
  transact<Result>(run: (tables: TablesOf<Kinds>) => Result, isKept = true): Result {
    return this.#transact(run, ({ changes }) => isKept && changes.size > 0)
  }

  /**
   * Stores records in one step, without copying them: they must be valid and not shared. With `replacesAll`, they replace
   * all records; otherwise the records with the keys in `removed`.
   */
  load(
    records: { readonly [Name in keyof Kinds]?: readonly object[] },
    {
      replacesAll,
      removed = {},
    }: { replacesAll: boolean; removed?: { readonly [Name in keyof Kinds]?: readonly Key[] } },
  ): void {
    if (replacesAll) {
      const fresh = new Database(this.#declarations)
      fresh.load(records, { replacesAll: false })
      this.replaceBy(fresh.contents())
      return
    }
    this.#putInPlace((name, collection) => {
      for (const key of removed[name] ?? none) collection.remove(key)
      for (const record of deepFreeze(records[name] ?? none)) collection.write(collection.keyOf(record), record)
    })
  }

  /** All records. Later changes of the database don't change them. */
  contents(): Contents {
    return new Map([...this.#collections].map(([name, collection]) => [name, collection.share()]))
  }

  /**
   * The records that differ from earlier contents, by identity, of each table that was written since: none if only their
   * order differs. Unlike `contents`, it shares nothing.
   */
  changesSince(earlier: Contents): Commit['changes'] {
    const changes = new Map<string, readonly Change[]>()
    for (const [name, collection] of this.#collections) {
      const records = earlier.get(name)
      if (!collection.hasRecords(records)) changes.set(name, collection.changesSince(records))
    }
    return changes
  }

  /** Whether it has exactly these contents: nothing was written since they were put into it. */
  holds(contents: Contents): boolean {
    return [...this.#collections].every(([name, collection]) => collection.hasRecords(contents.get(name)))
  }

  /** Replaces everything by the contents of a database of these kinds. */
  replaceBy(after: Contents): void {
    this.#guard?.({ before: this.contents(), after })
    this.#collections.forEach((collection, name) => {
      const records = after.get(name)
      if (records !== undefined) collection.adopt(records)
    })
    this.#listeners.notify()
  }

  /** Calls a function before each commit is final. If it throws, nothing changes. */
  guardWith(guard: (commit: Commit | Replacement) => void): void {
    this.#guard = guard
  }

  /** Calls a function after each commit. Returns a function that unsubscribes. */
  onCommit(listener: () => void): () => void {
    return this.#listeners.add(listener)
  }

  /** Repeats a commit that was made earlier or elsewhere. */
  apply({ changes }: Commit): void {
    this.#putInPlace((name, collection) => {
      for (const { key, after, to } of changes.get(name) ?? none) collection.write(key, after, to)
    })
  }

  #putInPlace(write: (name: string, collection: AnyCollection) => void): void {
    const run = () => {
      for (const [name, collection] of this.#collections) write(name, collection)
    }
    this.#transact(run, () => true)
  }

  #transact<Result>(run: (tables: TablesOf<Kinds>) => Result, isKept: (commit: Commit) => boolean): Result {
    let isDone = false
    this.isWriting = true
    try {
      const result = run(this.tables)
      const changes = new Map<string, readonly Change[]>()
      // `for … of` would create a pair for each table, and most tables have no changes.
      this.#collections.forEach((collection, name) => {
        if (!collection.isWritten) return
        const ofTable = collection.changes()
        if (ofTable.length > 0) changes.set(name, ofTable)
      })
      const commit = { changes }
      if (!isKept(commit)) return result
      this.#guard?.(commit)
      isDone = true
      return result
    } finally {
      this.isWriting = false
      this.#collections.forEach((collection) => {
        if (collection.isWritten) collection.end(isDone)
      })
      if (isDone) this.#listeners.notify()
    }
  }
}

/** The commit that undoes another commit. */
export function inverse({ changes }: Commit): Commit {
  const swapped = ({ key, before, after, from, to }: Change): Change => {
    return { key, before: after, after: before, from: to, to: from }
  }
  return { changes: new Map([...changes].map(([name, ofTable]) => [name, ofTable.map(swapped)])) }
}

/** The records that differ between contents, first the earlier ones. */
export function changesOf({ before, after }: Replacement): Commit['changes'] {
  const changes = new Map<string, readonly Change[]>()
  for (const [name, later] of after) {
    const ofTable = changesBetween(before.get(name), later)
    if (ofTable.length > 0) changes.set(name, ofTable)
  }
  return changes
}
