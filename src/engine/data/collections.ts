import type { Collection } from '@msw/data'
import { type TableName, tables } from '../../service/resources/tables.js'
import type { Change, Key } from '../../service/store/table.js'
import { none } from '../../support/freeze.js'
import { INSPECT, inspectedBy, onScreen } from '../../support/inspect.js'
import { redactRecord } from '../sessions/redact.js'
import type { WorldData } from '../state/state.js'
import { CheckedCollection } from './queries.js'
import { type AskedShapes, askedShapes } from './query-shapes.js'
import { type FoundSchema, type MockData, type Relation, relations } from './relations.js'

type RecordCollection = Collection<FoundSchema<object>>
type FoundRecord = ReturnType<RecordCollection['all']>[number]
type Changes = readonly Pick<Change, 'key' | 'after'>[]

/** @msw/data searches for each record that it changes. If more than these changed, filling the collection anew is faster. */
const CHANGES_KEPT = 200

const NOT_STORED =
  'The collections of mock.data() show what the mock holds: change that by mock.add(), or by a request.'

/** The stored record that a found one shows. */
const storedOf = new WeakMap<object, object>()

/** The collections of a session. Commits say what changed, and `update` brings it in: writing to @msw/data takes a while. */
export class DataCollections {
  readonly #currentWorld: () => WorldData
  readonly #kinds = new Map<string, Kind>()
  readonly #collections: MockData
  #world: WorldData | undefined
  #unfollow = () => {}
  #updated: Promise<unknown> = Promise.resolve()

  constructor(currentWorld: () => WorldData) {
    this.#currentWorld = currentWorld
    const asked = askedShapes()
    for (const name of Object.keys(tables)) this.#kinds.set(name, new Kind(name as TableName, this.#kinds, asked))
    const collections = [...this.#kinds].map(([name, { collection }]) => [name, collection])
    this.#collections = Object.freeze(Object.fromEntries(collections))
  }

  /** Brings the collections up to date, one call after the other. They stay the same objects. */
  update(): Promise<MockData> {
    const updated = this.#updated.then(() => this.#update())
    this.#updated = updated.catch(() => {
      this.#world = undefined
    })
    return updated
  }

  async #update(): Promise<MockData> {
    const world = this.#currentWorld()
    if (world !== this.#world) this.#follow(world)
    const recordsOf = (name: string) => world.tables[name as TableName].list()
    // All of them begin before the next commit, so they show the same state.
    await Promise.all([...this.#kinds].map(([name, kind]) => kind.update(() => recordsOf(name))))
    return this.#collections
  }

  #follow(world: WorldData): void {
    this.#unfollow()
    for (const kind of this.#kinds.values()) kind.markReplaced()
    this.#unfollow = world.onCommit(({ changes, replacesAll }) => {
      for (const [name, kind] of this.#kinds) {
        if (replacesAll) kind.markReplaced()
        else kind.mark(changes.get(name) ?? [])
      }
    })
    this.#world = world
  }
}

/** One kind of record: its collection, and what has changed since that was brought up to date. */
class Kind {
  readonly collection: RecordCollection
  readonly #kinds: ReadonlyMap<string, Kind>
  readonly #keyOf: (stored: object) => Key
  readonly #relations: Readonly<Record<string, Relation>>
  #stored = new Map<Key, object>()
  #found = new Map<Key, FoundRecord>()
  /** For each relation of these records, which of them point at a key. */
  readonly #pointing = new Map<string, Map<Key, object[]>>()
  /** The changed records by their keys, or undefined if everything may have changed. */
  #changes: Map<Key, object | undefined> | undefined

  constructor(name: TableName, all: ReadonlyMap<string, Kind>, asked: AskedShapes) {
    const { key }: { key(stored: object): Key } = tables[name]
    const related: Readonly<Record<string, Readonly<Record<string, Relation>>>> = relations
    this.#kinds = all
    this.#keyOf = key
    this.#relations = related[name] ?? {}
    const show = foundBy(name, this.#relations, (stored, relation) => this.#related(stored, relation))
    // The input of the schema is a key, or a record that has one.
    const validate = (given: unknown) => {
      const stored = this.#stored.get(typeof given === 'object' && given !== null ? key(given) : (given as Key))
      return stored === undefined ? { issues: [{ message: NOT_STORED }] } : { value: show(stored) }
    }
    const schema: FoundSchema<object> = { '~standard': { version: 1, vendor: 'flagdouble', validate } }
    this.collection = new CheckedCollection(schema, name, asked)
    Object.defineProperty(this.collection, INSPECT, printCollection(name))
  }

  mark(changes: Changes): void {
    for (const { key, after } of changes) this.#changes?.set(key, after)
    if (this.#changes !== undefined && this.#changes.size > CHANGES_KEPT) this.markReplaced()
  }

  markReplaced(): void {
    this.#changes = undefined
  }

  async update(list: () => readonly object[]): Promise<void> {
    const changes = this.#changes
    this.#changes = new Map()
    if (changes?.size === 0 && this.collection.count() === this.#stored.size) return
    const records = list()
    if (changes !== undefined) await this.#apply(changes, records.length)
    // A record may have got another place in the order, and users can write to a collection.
    if (!this.#shows(records)) await this.#refill(records)
    this.#pointing.clear()
  }

  async #apply(changes: ReadonlyMap<Key, object | undefined>, size: number): Promise<void> {
    const changed: Promise<void>[] = []
    for (const [key, stored] of changes) {
      const found = this.#found.get(key)
      if (stored === undefined) this.#remove(key)
      else {
        this.#stored.set(key, stored)
        // The schema gives what is stored now, so there is nothing to draft.
        const showing = found === undefined ? this.collection.create(key) : this.collection.update(found, { data() {} })
        changed.push(keep(key, showing, this.#found))
      }
    }
    // The log forgets its oldest events.
    for (const key of [...this.#stored.keys()].slice(0, Math.max(0, this.#stored.size - size))) this.#remove(key)
    await Promise.all(changed)
  }

  #remove(key: Key): void {
    const found = this.#found.get(key)
    this.#stored.delete(key)
    this.#found.delete(key)
    if (found !== undefined) this.collection.delete(found)
  }

  #shows(records: readonly object[]): boolean {
    const found = this.collection.all()
    return found.length === records.length && found.every((record, i) => storedOf.get(record) === records[i])
  }

  async #refill(records: readonly object[]): Promise<void> {
    const found = new Map<Key, FoundRecord>()
    this.#stored = new Map(records.map((record) => [this.#keyOf(record), record]))
    // Right before the new records are there, so that nobody finds the collection empty. `clear()` takes quadratic time.
    queueMicrotask(() => {
      for (const record of [...this.collection.all()]) this.collection.delete(record)
    })
    await Promise.all([...this.#stored.keys()].map((key) => keep(key, this.collection.create(key), found)))
    this.#found = found
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

/** Records are frozen once @msw/data has marked them. */
async function keep(key: Key, showing: Promise<FoundRecord | undefined>, found: Map<Key, FoundRecord>): Promise<void> {
  const record = await showing
  if (record !== undefined) found.set(key, Object.freeze(record))
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
  function FoundRecord(this: Record<string, unknown>, stored: object) {
    for (const [field, value] of Object.entries(stored)) {
      const getter = getters.get(field)
      if (getter === undefined) this[field] = value
      else Object.defineProperty(this, field, getter)
    }
    storedOf.set(this, stored)
  }
  FoundRecord.prototype = Object.create(null, {
    ...objectMethods,
    ...Object.fromEntries(getters),
    [INSPECT]: printRecord(name),
  })
  return (stored) => Reflect.construct(FoundRecord, [stored])
}

/** A record is printed as it is stored: relations by their keys, and without keys and passwords. */
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
