import { Collection } from '@msw/data'
import { type TableName, tables } from '../../service/resources/tables.js'
import type { Key, Table } from '../../service/store/table.js'
import { none } from '../../support/freeze.js'
import { INSPECT, inspectedBy, onScreen } from '../../support/inspect.js'
import { redactRecord } from '../sessions/redact.js'
import type { WorldData } from '../state/state.js'
import { type FoundSchema, type MockData, type Relation, relations } from './relations.js'

type RecordCollection = Collection<FoundSchema<object>>
type FoundRecord = ReturnType<RecordCollection['all']>[number]
type StoredTable = Pick<Table<object, Key, never>, 'version' | 'list'>

/** @msw/data searches for each record that it changes. Beyond this number of changes, filling the collection again is faster. */
const CHANGES_KEPT = 200

const NOT_STORED = 'The collections of mock.data() are read-only. Change the data with mock.add(), or with a request.'

/** The stored record behind a found record. */
const storedOf = new WeakMap<object, object>()

/** The collections of a session. `update` writes only the changes: writing to @msw/data takes a while. */
export class DataCollections {
  readonly #currentWorld: () => WorldData
  readonly #kinds = new Map<string, RecordKind>()
  readonly #collections: MockData
  #updated: Promise<unknown> = Promise.resolve()

  constructor(currentWorld: () => WorldData) {
    this.#currentWorld = currentWorld
    for (const name of Object.keys(tables)) this.#kinds.set(name, new RecordKind(name as TableName, this.#kinds))
    const collections = [...this.#kinds].map(([name, { collection }]) => [name, collection])
    this.#collections = Object.freeze(Object.fromEntries(collections))
  }

  /** Updates the collections, one call after the other. They stay the same objects. */
  update(): Promise<MockData> {
    const updated = this.#updated.then(() => this.#update())
    this.#updated = updated.catch(() => undefined)
    return updated
  }

  async #update(): Promise<MockData> {
    const current = this.#currentWorld().tables
    // All start before the next commit, so they show the same state.
    await Promise.all([...this.#kinds].map(([name, kind]) => kind.update(current[name as TableName])))
    return this.#collections
  }
}

/** One kind of record: its collection, and the stored state that it shows. */
class RecordKind {
  readonly collection: RecordCollection
  readonly #kinds: ReadonlyMap<string, RecordKind>
  readonly #keyOf: (stored: object) => Key
  readonly #relations: Readonly<Record<string, Relation>>
  #stored: ReadonlyMap<Key, object> = new Map()
  #found = new Map<Key, FoundRecord>()
  /** For each relation of these records, the records that point at a key. */
  readonly #pointing = new Map<string, Map<Key, object[]>>()
  /** The shown table and its version; undefined during an update. */
  #shown: { table: StoredTable; version: number } | undefined

  constructor(name: TableName, all: ReadonlyMap<string, RecordKind>) {
    const { key }: { key(stored: object): Key } = tables[name]
    const related: Readonly<Record<string, Readonly<Record<string, Relation>>>> = relations
    this.#kinds = all
    this.#keyOf = key
    this.#relations = related[name] ?? {}
    const show = foundBy(name, this.#relations, (stored, relation) => this.#related(stored, relation))
    // The schema's input is a key, or a record with a key.
    const validate = (given: unknown) => {
      const stored = this.#stored.get(typeof given === 'object' && given !== null ? key(given) : (given as Key))
      return stored === undefined ? { issues: [{ message: NOT_STORED }] } : { value: show(stored) }
    }
    const schema: FoundSchema<object> = { '~standard': { version: 1, vendor: 'flagdouble', validate } }
    this.collection = new Collection({ schema })
    Object.defineProperty(this.collection, INSPECT, printCollection(name))
  }

  async update(table: StoredTable): Promise<void> {
    const { version } = table
    const isSameTable = this.#shown?.table === table
    if (isSameTable && this.#shown?.version === version && this.collection.count() === this.#stored.size) return
    this.#shown = undefined
    const before = this.#stored
    const records = table.list()
    this.#stored = new Map(records.map((record) => [this.#keyOf(record), record]))
    const changed = [...this.#stored.keys()].filter((key) => before.get(key) !== this.#stored.get(key))
    const gone = [...before.keys()].filter((key) => !this.#stored.has(key))
    if (isSameTable && changed.length + gone.length <= CHANGES_KEPT) await this.#apply(changed, gone)
    // A record can have a new place in the order, and users can write to a collection.
    if (!this.#shows(records)) await this.#refill()
    this.#pointing.clear()
    this.#shown = { table, version }
  }

  async #apply(changed: readonly Key[], gone: readonly Key[]): Promise<void> {
    const showing = changed.map((key) => {
      const found = this.#found.get(key)
      // The schema returns the stored record, so there is nothing to draft.
      const shown = found === undefined ? this.collection.create(key) : this.collection.update(found, { data() {} })
      return keep(key, shown, this.#found)
    })
    for (const key of gone) {
      const found = this.#found.get(key)
      this.#found.delete(key)
      if (found !== undefined) this.collection.delete(found)
    }
    await Promise.all(showing)
  }

  #shows(records: readonly object[]): boolean {
    const found = this.collection.all()
    return found.length === records.length && found.every((record, i) => storedOf.get(record) === records[i])
  }

  async #refill(): Promise<void> {
    const found = new Map<Key, FoundRecord>()
    // Right before the new records arrive, so that nobody finds the collection empty. `clear()` takes quadratic time.
    queueMicrotask(() => {
      for (const record of [...this.collection.all()]) this.collection.delete(record)
    })
    await Promise.all([...this.#stored.keys()].map((key) => keep(key, this.collection.create(key), found)))
    this.#found = found
  }

  /** The related record (null if it doesn't exist), or a frozen list of related records. */
  #related(stored: object, relation: Relation): object | null {
    const kind = this.#kinds.get(relation.to)
    if (kind === undefined) return null
    if ('inverse' in relation) return kind.#pointingAt(this.#keyOf(stored), relation.inverse)
    const keys = relation.by(stored)
    if (!Array.isArray(keys)) return kind.#found.get(keys as Key) ?? null
    return Object.freeze([...new Set<Key>(keys)].flatMap((key) => kind.#found.get(key) ?? []))
  }

  /** The records whose relation points at a key. */
  #pointingAt(key: Key, name: string): readonly object[] {
    let index = this.#pointing.get(name)
    if (index === undefined) {
      index = new Map()
      for (const found of this.collection.all()) {
        for (const target of keysBy(this.#relations[name], storedOf.get(found))) {
          const pointing = index.get(target)
          if (pointing === undefined) index.set(target, [found])
          else pointing.push(found)
        }
      }
      for (const pointing of index.values()) Object.freeze(pointing)
      this.#pointing.set(name, index)
    }
    return index.get(key) ?? none
  }
}

/** Records are frozen after @msw/data has marked them. */
async function keep(key: Key, showing: Promise<FoundRecord | undefined>, found: Map<Key, FoundRecord>): Promise<void> {
  const record = await showing
  if (record !== undefined) found.set(key, Object.freeze(record))
}

/** The distinct keys that a record points at by a relation. */
function keysBy(relation: Relation | undefined, stored: object | undefined): Iterable<Key> {
  if (relation === undefined || stored === undefined || 'inverse' in relation) return []
  return new Set([relation.by(stored) ?? []].flat())
}

/**
 * Creates the found records of a kind. A relation that replaces a field is a field itself, and so a part of the JSON. All
 * others are inherited, so that circular records can still be sent as JSON, compared and printed. @msw/data reads only
 * plain objects, whose prototype has no prototype.
 */
function foundBy(
  name: TableName,
  relations: Readonly<Record<string, Relation>>,
  resolve: (stored: object, relation: Relation) => object | null,
): (stored: object) => object {
  const getters: Record<string, PropertyDescriptor & ThisType<object>> = {}
  for (const [field, relation] of Object.entries(relations)) {
    getters[field] = {
      enumerable: true,
      get() {
        return resolve(storedOf.get(this) ?? this, relation)
      },
    }
  }
  const prototype: object = Object.create(null, {
    toString: { value: Object.prototype.toString },
    ...getters,
    [INSPECT]: printRecord(name),
  })
  return (stored) => {
    const found: Record<string, unknown> = Object.create(prototype)
    for (const [field, value] of Object.entries(stored)) {
      const getter = getters[field]
      if (getter === undefined) found[field] = value
      else Object.defineProperty(found, field, getter)
    }
    storedOf.set(found, stored)
    return found
  }
}

/** Prints a record as stored: relations as keys, without API tokens and passwords. */
function printRecord(name: TableName): PropertyDescriptor {
  return inspectedBy<object>((found, options, inspect) => {
    const shown = redactRecord(name, storedOf.get(found) ?? found) as object
    return options.isAlone ? onScreen(shown, options, inspect) : inspect(shown, options)
  })
}

function printCollection(name: TableName): PropertyDescriptor {
  return inspectedBy<RecordCollection>((collection, options, inspect) =>
    onScreen({ [name]: collection.count(), first: collection.all().slice(0, 3) }, options, inspect),
  )
}
