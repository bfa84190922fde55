import type { Key } from '../store/table.js'
import type { AnyRelation, AnyTable } from './definition.js'
import { type DataWorld, recordsOf } from './source.js'
import { type Marks, storedRecord, type View, viewMaker } from './view.js'

interface ViewParts {
  /** The current world. Asking for it marks what changed. */
  world: () => DataWorld
  marks: Marks
  tableNamed: (name: string) => TableView
}

type Index = ReadonlyMap<Key, readonly View[]>

const none: readonly View[] = Object.freeze([])

/**
 * The records of one table as they are found. A commit only marks the table; it is brought up to date when it is next
 * read. A record that didn't change stays the same object.
 */
export class TableView {
  readonly #name: string
  readonly #definition: AnyTable
  readonly #parts: ViewParts
  readonly #makeView: (record: object) => View
  readonly #known = new WeakMap<object, View>()
  #views: readonly View[] | undefined
  #byKey: Index | undefined
  /** For each relation of these records, which of them point at a key. */
  #byRelation = new Map<string, Index>()

  constructor(name: string, definition: AnyTable, parts: ViewParts) {
    this.#name = name
    this.#definition = definition
    this.#parts = parts
    this.#makeView = viewMaker(name, definition, parts.marks, (record, relation) => this.#related(record, relation))
  }

  markChanged(): void {
    this.#views = undefined
  }

  /** The records now. A new list whenever one of them changed. */
  all(): readonly View[] {
    const world = this.#parts.world()
    if (this.#views === undefined) {
      this.#views = recordsOf(world, this.#name).map((record) => this.#viewOf(record))
      this.#byKey = undefined
      this.#byRelation = new Map()
    }
    return this.#views
  }

  get(key: Key): View | undefined {
    const views = this.all()
    this.#byKey ??= indexed(views, (record) => [this.#definition.key(record)])
    return this.#byKey.get(key)?.[0]
  }

  /** The records that point at a key by a relation of theirs. */
  pointingAt(key: Key, name: string): readonly View[] {
    const views = this.all()
    let index = this.#byRelation.get(name)
    if (index === undefined) {
      const relation = this.#definition.relations[name]
      if (relation === undefined || 'inverse' in relation) throw new TypeError(`${this.#name}.${name} holds no keys.`)
      index = indexed(views, (record) => keysBy(relation, record))
      this.#byRelation.set(name, index)
    }
    return index.get(key) ?? none
  }

  #viewOf(record: object): View {
    let view = this.#known.get(record)
    if (view === undefined) {
      view = this.#makeView(record)
      this.#known.set(record, view)
    }
    return view
  }

  /** The related record (null if there is none), or a frozen list of them, as they are now. */
  #related(record: object, relation: AnyRelation): View | null | readonly View[] {
    const table = this.#parts.tableNamed(relation.to)
    if ('inverse' in relation) return table.pointingAt(this.#definition.key(record), relation.inverse)
    const found = keysBy(relation, record).flatMap((key) => table.get(key) ?? [])
    return relation.kind === 'one' ? (found[0] ?? null) : Object.freeze(found)
  }
}

function indexed(views: readonly View[], keysOf: (record: object) => readonly Key[]): Index {
  const index = new Map<Key, View[]>()
  for (const view of views) {
    for (const key of keysOf(view[storedRecord])) {
      const under = index.get(key)
      if (under === undefined) index.set(key, [view])
      else under.push(view)
    }
  }
  for (const list of index.values()) Object.freeze(list)
  return index
}

/** The keys that a record points at by a relation, each once. */
function keysBy(relation: Exclude<AnyRelation, { inverse: string }>, record: object): readonly Key[] {
  if (relation.kind === 'many') return [...new Set(relation.by(record))]
  const key = relation.by(record)
  return key === null ? [] : [key]
}
