import { Collection } from '@msw/data'
import { type TableName, tables } from '../resources/tables.js'
import { REDACTED } from '../sessions/redact.js'
import type { WorldData } from '../state/state.js'
import type { Key, Table } from '../store/table.js'
import { none } from '../support/freeze.js'
import { INSPECT, inspectedBy, onScreen } from '../support/inspect.js'
import { type FoundSchema, type MockData, type Relation, relations } from './relations.js'

type Records = Collection<FoundSchema<object>>
type Found = ReturnType<Records['all']>[number]
type Stored = Pick<Table<object, Key>, 'version' | 'get' | 'list'>

const NOT_STORED =
  'The collections of mock.data() show what the mock holds: change that by mock.add(), or by a request.'

/** The stored record that a found one shows. */
const storedOf = new WeakMap<object, object>()

/** The collections of a session. */
export class DataCollections {
  readonly #currentWorld: () => WorldData
  readonly #kinds = new Map<string, Kind>()
  readonly #collections: MockData
  #updated: Promise<unknown> = Promise.resolve()

  constructor(currentWorld: () => WorldData) {
    this.#currentWorld = currentWorld
    for (const name of Object.keys(tables)) this.#kinds.set(name, new Kind(name as TableName, this.#kinds))
    const collections = [...this.#kinds].map(([name, { collection }]) => [name, collection])
    this.#collections = Object.freeze(Object.fromEntries(collections))
  }

  /** Brings the collections up to date, one call after the other. They stay the same objects. */
  update(): Promise<MockData> {
    const updated = this.#updated.then(() => this.#update())
    this.#updated = updated.catch(() => undefined)
    return updated
  }

  async #update(): Promise<MockData> {
    const world = this.#currentWorld()
    // All of them begin before the next commit, so they show the same state.
    await Promise.all([...this.#kinds].map(([name, kind]) => kind.update(world.tables[name as TableName])))
    return this.#collections
  }
}

/** One kind of record: its collection, and the table that this shows. */
class Kind {
  readonly collection: Records
  readonly #kinds: ReadonlyMap<string, Kind>
  readonly #keyOf: (stored: object) => Key
  readonly #relations: Readonly<Record<string, Relation>>
  readonly #show: (stored: object) => object
  readonly #schema: FoundSchema<object>
  #table: Stored | undefined
  /** That of the table when its records were shown. */
  #version = 0
  #records: readonly object[] = none
  readonly #found = new Map<Key, Found>()
  /** For each relation of these records, which of them point at a key. */
  readonly #pointing = new Map<string, Map<Key, object[]>>()

  constructor(name: TableName, all: ReadonlyMap<string, Kind>) {
    const { key }: { key(stored: object): Key } = tables[name]
    const related: Readonly<Record<string, Readonly<Record<string, Relation>>>> = relations
    this.#kinds = all
    this.#keyOf = key
    this.#relations = related[name] ?? {}
    this.#show = foundBy(name, this.#relations, (stored, relation) => this.#related(stored, relation))
    // The input of the schema is a key, or a record that has one.
    const validate = (given: unknown) => {
      const stored = this.#table?.get(typeof given === 'object' && given !== null ? key(given) : (given as Key))
      return stored === undefined ? { issues: [{ message: NOT_STORED }] } : { value: this.#show(stored) }
    }
    this.#schema = { '~standard': { version: 1, vendor: 'flagdouble', validate } }
    this.collection = new Collection({ schema: this.#schema })
    Object.defineProperty(this.collection, INSPECT, printCollection(name))
  }

  async update(table: Stored): Promise<void> {
    const shown = this.collection.all()
    const { version } = table
    // Users can write to a collection.
    if (table === this.#table && version === this.#version && shown.length === this.#found.size) return
    this.#table = table
    const records = table.list()
    const maker: Records = new Collection({ schema: this.#schema })
    const making: Promise<unknown>[] = []
    const changed = new Map<Key, Found>()
    for (const [at, stored] of records.entries()) {
      if (stored === this.#records[at]) continue
      const key = this.#keyOf(stored)
      const before = this.#found.get(key)
      // @msw/data marks a record before it is frozen.
      if (before === undefined) making.push(maker.create(key).then((made) => changed.set(key, Object.freeze(made))))
      else if (storedOf.get(before) !== stored) changed.set(key, this.#inPlaceOf(before, stored))
    }
    await Promise.all(making)
    // From here on at once, so that nobody finds the collection half filled.
    const keys = records.map(this.#keyOf)
    for (const [key, record] of changed) this.#found.set(key, record)
    if (this.#found.size > keys.length) {
      const kept = new Set(keys)
      for (const key of this.#found.keys()) if (!kept.has(key)) this.#found.delete(key)
    }
    this.#pointing.clear()
    shown.length = 0
    for (const key of keys) shown.push(this.#found.get(key) as Found)
    this.#records = records
    this.#version = version
  }

  /** A changed record. To @msw/data it is the same one, as after its own `update`: a page can begin at it. */
  #inPlaceOf(before: Found, stored: object): Found {
    const changed = this.#show(stored)
    for (const mark of Object.getOwnPropertySymbols(before)) {
      Object.defineProperty(changed, mark, { value: Reflect.get(before, mark) })
    }
    return Object.freeze(changed) as Found
  }

  /** The related record (null if there is none), or a frozen list of them. */
  #related(stored: object, relation: Relation): object | null {
    const kind = this.#kinds.get(relation.to)
    if (kind === undefined) return null
    if ('inverse' in relation) return kind.#pointingAt(this.#keyOf(stored), relation.inverse)
    const keys = relation.by(stored)
    if (!Array.isArray(keys)) return kind.#found.get(keys as Key) ?? null
    return Object.freeze([...new Set<Key>(keys)].flatMap((key) => kind.#found.get(key) ?? []))
  }

  /** The records that point at a key by a relation of theirs. */
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

/** The keys that a record points at by a relation, each once. */
function keysBy(relation: Relation | undefined, stored: object | undefined): Iterable<Key> {
  if (relation === undefined || stored === undefined || 'inverse' in relation) return []
  return new Set([relation.by(stored) ?? []].flat())
}

const { __proto__: _, ...objectMethods } = Object.getOwnPropertyDescriptors(Object.prototype)

/**
 * Makes found records of a kind. A relation that takes the place of a field is a field itself, so it is part of the JSON.
 * All others are inherited, so that records that point at each other can still be sent as JSON, compared and printed.
 * @msw/data looks only into plain objects: those whose prototype has no prototype.
 */
function foundBy(
  name: TableName,
  relations: Readonly<Record<string, Relation>>,
  resolve: (stored: object, relation: Relation) => object | null,
): (stored: object) => object {
  const getters = new Map(
    Object.entries(relations).map(([field, relation]): [string, PropertyDescriptor & ThisType<object>] => [
      field,
      {
        enumerable: true,
        get() {
          return resolve(storedOf.get(this) ?? this, relation)
        },
      },
    ]),
  )
  // A constructor, so that V8 gives all records of a kind one hidden class.
  function Found(this: Record<string, unknown>, stored: object) {
    for (const [field, value] of Object.entries(stored)) {
      const getter = getters.get(field)
      if (getter === undefined) this[field] = value
      else Object.defineProperty(this, field, getter)
    }
    storedOf.set(this, stored)
  }
  Found.prototype = Object.create(null, {
    ...objectMethods,
    ...Object.fromEntries(getters),
    [INSPECT]: printRecord(name),
  })
  return (stored) => Reflect.construct(Found, [stored])
}

/** A record is printed as it is stored: relations by their keys, and without keys and passwords. */
function printRecord(name: TableName): PropertyDescriptor {
  // The secret of a signup token is what it is known by.
  const isHidden = (field: string) => /password/i.test(field) || (field === 'secret' && name !== 'signupTokens')
  return inspectedBy<object>((found, options, inspect) => {
    const stored = Object.entries(storedOf.get(found) ?? found)
    const shown = Object.fromEntries(stored.map(([field, value]) => [field, isHidden(field) ? REDACTED : value]))
    return options.isAlone ? onScreen(shown, options, inspect) : inspect(shown, options)
  })
}

function printCollection(name: TableName): PropertyDescriptor {
  return inspectedBy<Records>((collection, options, inspect) =>
    onScreen({ [name]: collection.count(), first: collection.all().slice(0, 3) }, options, inspect),
  )
}
