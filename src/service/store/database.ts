import { deepFreeze, type Frozen, none } from '../../support/freeze.js'
import { Listeners } from '../../support/listeners.js'
import { Cache } from './cache.js'
import { Collection, EventCollection, type EventLog, type Numbered } from './collection.js'
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

type AnyCollection = Collection<object, Key, string>

/** All records of a database at one point in time, by the names of the tables. They are shared, since nobody can change them. */
export type Contents = ReadonlyMap<string, readonly Frozen<object>[]>

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
  readonly #collections = new Map<string, AnyCollection>()
  readonly #listeners = new Listeners<[commit: Commit]>()
  #guard: ((commit: Commit) => void) | undefined

  constructor(declarations: Kinds) {
    for (const [name, keys] of Object.entries(declarations)) {
      this.#collections.set(name, keys.log ? new EventCollection(keys, this) : new Collection(keys, this))
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
    this.#putInPlace(replacesAll, (name, collection) => {
      for (const key of removed[name] ?? none) collection.remove(key)
      for (const record of deepFreeze(records[name] ?? none)) collection.write(collection.keyOf(record), record)
    })
  }

  contents(): Contents {
    return new Map([...this.#collections].map(([name, collection]) => [name, collection.list()]))
  }

  /** Replaces everything by the earlier contents of a database of these kinds. */
  replaceBy(lists: Contents): void {
    this.load(Object.fromEntries(lists) as Partial<Record<keyof Kinds, Frozen<object>[]>>, { replacesAll: true })
  }

  /** Calls a function before each commit is final. If it throws, nothing changes. */
  guardWith(guard: (commit: Commit) => void): void {
    this.#guard = guard
  }

  /** Calls a function after each commit. Returns a function that unsubscribes. */
  onCommit(listener: (commit: Commit) => void): () => void {
    return this.#listeners.add(listener)
  }

  /** Repeats a commit that was made earlier or elsewhere. */
  apply({ changes, replacesAll }: Commit): void {
    this.#putInPlace(replacesAll, (name, collection) => {
      for (const { key, after, to } of changes.get(name) ?? none) collection.write(key, after, to)
    })
  }

  #putInPlace(replacesAll: boolean, write: (name: string, collection: AnyCollection) => void): void {
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
    this.isWriting = true
    try {
      const result = run(this.tables)
      const written = { changes: this.#changes(), replacesAll }
      if (!isKept(written)) return result
      this.#guard?.(written)
      commit = written
      return result
    } finally {
      this.isWriting = false
      this.#collections.forEach((collection, name) => {
        collection.end(commit === undefined ? undefined : (commit.changes.get(name) ?? none))
      })
      if (commit !== undefined) this.#listeners.notify(commit)
    }
  }

  #changes(): Commit['changes'] {
    const changes = new Map<string, readonly Change[]>()
    // `for … of` would create a pair for each table, and most tables have no changes.
    this.#collections.forEach((collection, name) => {
      const ofTable = collection.changes()
      if (ofTable.length > 0) changes.set(name, ofTable)
    })
    return changes
  }
}

/** The commit that undoes another commit. */
export function inverse({ changes, replacesAll }: Commit): Commit {
  const swapped = ({ key, before, after, from, to }: Change): Change => {
    return { key, before: after, after: before, from: to, to: from }
  }
  return { changes: new Map([...changes].map(([name, ofTable]) => [name, ofTable.map(swapped)])), replacesAll }
}
