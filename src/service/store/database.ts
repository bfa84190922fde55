import { deepFreeze, type Frozen, none } from '../../support/freeze.js'
import { Listeners } from '../../support/listeners.js'
import { Cache } from './cache.js'
import { Collection } from './collection.js'
import { EventCollection, type EventLog, type Numbered } from './event-log.js'
import type { AnyTableKeys, Change, Commit, Key, Table, TableKeys } from './table.js'

/** The tables of a database, each typed by its declaration. */
export type TablesOf<Declarations> = {
  readonly [Name in keyof Declarations]: Declarations[Name] extends TableKeys<infer Item, infer ItemKey, infer Index>
    ? Declarations[Name] extends { log: true }
      ? EventLog<Item & Numbered>
      : Table<Item, ItemKey, Index>
    : never
}

type Declarations = Readonly<Record<string, AnyTableKeys>>

/**
 * Everything that a database holds at one moment, by the names of the tables. The records are shared, since nobody can
 * change them.
 */
export type Contents = ReadonlyMap<string, readonly Frozen<object>[]>

/**
 * All records of one world. Everything is synchronous: a transaction runs from its first read to its commit without
 * anything in between, so two writes can't interleave, and nobody else sees what it has written so far.
 */
export class Database<Kinds extends Declarations> {
  /** The tables. A write outside of a transaction throws. */
  readonly tables: TablesOf<Kinds>
  /** What was made of records. A mock has one for all its worlds. */
  cache = new Cache()
  readonly #collections = new Map<string, Collection<object, Key, string>>()
  readonly #listeners = new Listeners<[commit: Commit]>()
  #guard: ((commit: Commit) => void) | undefined

  constructor(declarations: Kinds) {
    const cache = () => this.cache
    for (const [name, keys] of Object.entries(declarations)) {
      this.#collections.set(name, keys.log ? new EventCollection(keys, cache) : new Collection(keys, cache))
    }
    // Maps of tables are untyped; their declarations say what each of them holds.
    this.tables = Object.fromEntries(this.#collections) as unknown as TablesOf<Kinds>
  }

  get isEmpty(): boolean {
    return [...this.#collections.values()].every(({ size }) => size === 0)
  }

  /**
   * Runs a function on the tables, and commits what it wrote there, unless it is not to be kept. If the function throws,
   * nothing is changed.
   */
  transact<Result>(run: (tables: TablesOf<Kinds>) => Result, isKept = true): Result {
    return this.#transact(run, ({ changes }) => isKept && changes.size > 0)
  }

  /**
   * Puts records in place in one step, without copying them: they must be valid and nobody else's. With
   * `replacesAll`, they take the place of everything that is there; else of the records with the keys in `removed`.
   */
  load(
    records: { readonly [Name in keyof Kinds]?: readonly object[] },
    {
      replacesAll,
      removed = {},
    }: { replacesAll: boolean; removed?: { readonly [Name in keyof Kinds]?: readonly Key[] } },
  ): void {
    this.#putInPlace(replacesAll, (name, collection) => {
      for (const key of removed[name] ?? none) collection.remove(key)
      for (const record of deepFreeze(records[name] ?? none)) collection.write(collection.keyOf(record), record)
    })
  }

  contents(): Contents {
    return new Map([...this.#collections].map(([name, collection]) => [name, collection.list()]))
  }

  /** Replaces everything by what a database of these kinds held at some moment. */
  replaceBy(lists: Contents): void {
    this.load(Object.fromEntries(lists) as Partial<Record<keyof Kinds, Frozen<object>[]>>, { replacesAll: true })
  }

  /** Calls back before each commit. If that throws, nothing is changed. */
  guardWith(guard: (commit: Commit) => void): void {
    this.#guard = guard
  }

  /** Calls back after each commit. Returns a function that unsubscribes. */
  onCommit(listener: (commit: Commit) => void): () => void {
    return this.#listeners.add(listener)
  }

  /** Makes a commit, as it was made before or elsewhere. */
  apply({ changes, replacesAll, order }: Commit): void {
    this.#putInPlace(replacesAll, (name, collection) => {
      for (const { key, after } of changes.get(name) ?? none) collection.write(key, after)
      collection.arrange(order?.get(name) ?? none)
    })
  }

  #putInPlace(replacesAll: boolean, write: (name: string, collection: Collection<object, Key, string>) => void): void {
    const run = () =>
      this.#collections.forEach((collection, name) => {
        if (replacesAll) collection.removeAll()
        write(name, collection)
      })
    this.#transact(run, () => true, replacesAll)
  }

  #transact<Result>(
    run: (tables: TablesOf<Kinds>) => Result,
    isKept: (commit: Commit) => boolean,
    replacesAll = false,
  ): Result {
    let commit: Commit | undefined
    this.#collections.forEach((collection) => {
      collection.isWritable = true
    })
    try {
      const result = run(this.tables)
      const written = this.#written(replacesAll)
      if (!isKept(written)) return result
      this.#guard?.(written)
      commit = written
      return result
    } finally {
      this.#collections.forEach((collection) => {
        collection.end(commit !== undefined)
      })
      if (commit !== undefined) this.#listeners.notify(commit)
    }
  }

  #written(replacesAll: boolean): Commit {
    const changes = new Map<string, readonly Change[]>()
    const orderBefore = new Map<string, readonly Key[]>()
    // `for … of` would make a pair for each table, and most have no changes.
    this.#collections.forEach((collection, name) => {
      const ofTable = collection.changes()
      if (ofTable.length > 0) changes.set(name, ofTable)
      if (collection.orderBefore !== undefined) orderBefore.set(name, collection.orderBefore)
    })
    return { changes, replacesAll, orderBefore }
  }
}

/** The commit that undoes another one. */
export function inverse({ changes, replacesAll, orderBefore }: Commit): Commit {
  const swapped = [...changes].map(
    ([name, ofTable]) =>
      [name, ofTable.map(({ key, before, after }) => ({ key, before: after, after: before }))] as const,
  )
  return { changes: new Map(swapped), replacesAll, ...(orderBefore && { order: orderBefore }) }
}
