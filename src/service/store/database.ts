import { deepFreeze, type Frozen, none } from '../../support/freeze.js'
import { Listeners } from '../../support/listeners.js'
import { Cache } from './cache.js'
import {
  type AnyCollection,
  Collection,
  EventCollection,
  type EventLog,
  type Numbered,
  StagedEvents,
  StagedTable,
} from './collection.js'
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
 * anything in between, so two writes can't interleave. What it stages becomes visible in one step, or not at all.
 */
export class Database<Kinds extends Declarations> {
  /** The tables as they are now, for reading. A write throws. */
  readonly tables: TablesOf<Kinds>
  /** What was made of records. A mock has one for all its worlds. */
  cache = new Cache()
  readonly #collections = new Map<string, AnyCollection>()
  /** One set for all transactions: they are synchronous, so there is only one at a time. */
  readonly #staged = new Map<string, StagedTable>()
  readonly #writable: TablesOf<Kinds>
  readonly #listeners = new Listeners<[commit: Commit]>()
  #guard: ((commit: Commit) => void) | undefined

  constructor(declarations: Kinds) {
    const cache = () => this.cache
    for (const [name, keys] of Object.entries(declarations)) {
      const log = keys.log ? new EventCollection(keys, cache) : undefined
      const collection = log ?? new Collection(keys, cache)
      this.#collections.set(name, collection)
      this.#staged.set(name, log === undefined ? new StagedTable(collection) : new StagedEvents(log))
    }
    this.tables = asTables<Kinds>(this.#collections)
    this.#writable = asTables<Kinds>(this.#staged)
  }

  get isEmpty(): boolean {
    return this.size === 0
  }

  /** The number of all records. */
  get size(): number {
    let size = 0
    for (const collection of this.#collections.values()) size += collection.size
    return size
  }

  /**
   * Runs a function on tables of its own, and commits what it wrote there, unless it is not to be kept. If the function
   * throws, nothing is changed.
   */
  transact<Result>(run: (tables: TablesOf<Kinds>) => Result, isKept = true): Result {
    try {
      const result = run(this.#writable)
      const changes = isKept ? changesOf(this.#staged) : undefined
      if (changes?.size) this.apply({ changes, replacesAll: false })
      return result
    } finally {
      this.#staged.forEach(discard)
    }
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
    const changes = new Map<string, Change[]>()
    for (const [name, collection] of this.#collections) {
      const changed: Change[] = []
      const change = (key: Key, after: Frozen<object> | undefined) =>
        changed.push({ key, before: replacesAll ? undefined : collection.get(key), after })
      for (const key of removed[name] ?? none) change(key, undefined)
      for (const record of deepFreeze(records[name] ?? none)) change(collection.keyOf(record), record)
      if (changed.length > 0) changes.set(name, changed)
    }
    this.apply({ changes, replacesAll })
  }

  contents(): Contents {
    const lists = new Map<string, readonly Frozen<object>[]>()
    for (const [name, collection] of this.#collections) lists.set(name, collection.list())
    return lists
  }

  /** Replaces everything by what a database of these kinds held at some moment. */
  replaceBy(lists: Contents): void {
    this.load(Object.fromEntries(lists) as Partial<Record<keyof Kinds, Frozen<object>[]>>, { replacesAll: true })
  }

  /** A commit that is about to be made, with what it takes to undo it: see `inverse`. */
  reversible(commit: Commit): Commit {
    return reversible(commit, this.#collections)
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
  apply(commit: Commit): void {
    this.#guard?.(commit)
    if (commit.replacesAll) for (const collection of this.#collections.values()) collection.clear()
    for (const [name, changes] of commit.changes) {
      const collection = this.#collections.get(name)
      for (const { key, after } of changes) collection?.set(key, after)
      const places = placesIn(changes)
      if (places.length > 0) collection?.moveInFront(places)
    }
    this.#listeners.notify(commit)
  }
}

/** Maps of tables are untyped; their declarations say what each of them holds. */
function asTables<Kinds>(tables: ReadonlyMap<string, object>) {
  const named: Record<string, object> = {}
  // V8 takes ten times as long for `Object.fromEntries`, and each mock has two of these.
  tables.forEach((table, name) => {
    named[name] = table
  })
  return named as unknown as TablesOf<Kinds>
}

function discard(table: StagedTable): void {
  table.discard()
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

/** A table, as far as it has to be known to undo what removes records from it. */
interface RemovedFrom {
  oldestFirst(): Iterable<Frozen<object>>
  keyOf(record: Frozen<object>): Key
}

/** A commit that is about to be made, with what it takes to undo it: which records it removes, and where they are. */
export function reversible(commit: Commit, tables: ReadonlyMap<string, RemovedFrom>): Commit {
  const { changes, replacesAll } = commit
  const isRemoval = ({ after }: Change) => after === undefined
  // Most commits remove nothing, and are as they must be.
  if (!replacesAll && ![...changes.values()].some((ofTable) => ofTable.some(isRemoval))) return commit
  const whole = new Map<string, readonly Change[]>()
  for (const [name, table] of tables) {
    const ofTable = changes.get(name) ?? []
    const stays = ofTable.filter((change) => !isRemoval(change))
    const gone = new Set(ofTable.filter(isRemoval).map(({ key }) => key))
    const removals = replacesAll || gone.size > 0 ? removalsFrom(table, replacesAll ? undefined : gone) : []
    if (stays.length + removals.length > 0) whole.set(name, [...removals, ...stays])
  }
  return { changes: whole, replacesAll }
}

/** The changes that remove records, in the order in which the records stand. Undefined: all of them. */
function removalsFrom(table: RemovedFrom, keys: ReadonlySet<Key> | undefined): Change[] {
  const removals: (Change & { next?: Key })[] = []
  let placed = 0
  for (const record of table.oldestFirst()) {
    if (placed === keys?.size) break
    const key = table.keyOf(record)
    if (keys === undefined || keys.has(key)) removals.push({ key, before: record, after: undefined })
    else while (placed < removals.length) Object.assign(removals[placed++] ?? {}, { next: key })
  }
  return removals
}

/** The commit that undoes another one. */
export function inverse({ changes, replacesAll }: Commit): Commit {
  const back = new Map<string, readonly Change[]>()
  for (const [name, ofTable] of changes) {
    const swapped = ofTable.map((change) => ({ ...change, before: change.after, after: change.before }))
    const isRemoval = ({ after }: Change) => after === undefined
    back.set(name, [...swapped.filter(isRemoval), ...swapped.filter((change) => !isRemoval(change))])
  }
  return { changes: back, replacesAll }
}

/** The records that come back with some changes, and of each the key of the record in front of which it was. */
export function placesIn(changes: readonly Change[]): [key: Key, next: Key][] {
  return changes.flatMap(({ key, after, next }) => (after === undefined || next === undefined ? [] : [[key, next]]))
}
