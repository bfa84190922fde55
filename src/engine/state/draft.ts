import { type Sequence, sequencesAfter } from '../../service/resources/shared/sequences.js'
import type { AnyTableDefinition, Known, KnownByName, NameOf } from '../../service/resources/shared/table.js'
import { type TableName, tables } from '../../service/resources/tables.js'
import type { Key } from '../../service/store/table.js'
import type { Frozen } from '../../support/freeze.js'
import { isObject } from '../../support/json.js'
import type { WorldData } from './state.js'

type StoredRecord = Frozen<object>

/** Fields besides the key that can identify a record. */
const NAMES = ['name', 'username', 'email']

const definitions: Readonly<Record<string, AnyTableDefinition>> = tables

/** The declaration of a kind of record. Throws for an unknown kind. */
export function definitionOf(name: string): AnyTableDefinition {
  const definition = definitions[name]
  if (definition === undefined) throw new Error(`There is no kind of record "${name}".`)
  return definition
}

/** The future records of a kind: the existing records without the removed ones, plus the new ones. */
export class DraftKind implements KnownByName<object> {
  /** The existing records; undefined if everything is replaced. */
  readonly before: Known<object> | undefined
  readonly #keyOf: AnyTableDefinition['key']
  readonly #changes = new Map<Key, StoredRecord | undefined>()
  #list: readonly StoredRecord[] | undefined
  #byName: ReadonlyMap<unknown, StoredRecord> | undefined
  readonly #named = new Map<NameOf<object>, ReadonlyMap<string | null, StoredRecord>>()

  constructor({ key }: Pick<AnyTableDefinition, 'key'>, before: Known<object> | undefined) {
    this.before = before
    this.#keyOf = key
  }

  get(key: Key): StoredRecord | undefined {
    return this.#changes.has(key) ? this.#changes.get(key) : this.before?.get(key)
  }

  /** The same list until a change. */
  list(): readonly StoredRecord[] {
    this.#list ??= this.#listed()
    return this.#list
  }

  by(nameOf: NameOf<object>): ReadonlyMap<string | null, StoredRecord> {
    const named = this.#named.get(nameOf) ?? new Map(this.list().map((record) => [nameOf(record), record]))
    this.#named.set(nameOf, named)
    return named
  }

  #listed(): readonly StoredRecord[] {
    const before = this.before?.list() ?? []
    if (this.#changes.size === 0) return before
    return [...before.filter((record) => !this.#changes.has(this.#keyOf(record))), ...this.changed]
  }

  get keys(): Key[] {
    return this.list().map((record) => this.#keyOf(record))
  }

  /** The key of an existing record, by its key or, for kinds with numeric keys, by a name. */
  called(name: string): Key | undefined {
    const found = this.before?.get(name) ?? (/^\d+$/.test(name) ? this.before?.get(Number(name)) : undefined)
    this.#byName ??= namesOf(this.before?.list().filter((one) => typeof this.#keyOf(one) === 'number') ?? [])
    const record = found ?? this.#byName.get(name)
    return record && this.#keyOf(record)
  }

  put(record: StoredRecord): void {
    this.#change(this.#keyOf(record), record)
  }

  remove(key: Key): void {
    this.#change(key, undefined)
  }

  #change(key: Key, record: StoredRecord | undefined): void {
    this.#list = undefined
    this.#named.clear()
    this.#changes.set(key, record)
  }

  get changed(): StoredRecord[] {
    return [...this.#changes.values()].filter((record) => record !== undefined)
  }

  get removed(): Key[] {
    return [...this.#changes].flatMap(([key, record]) => (record === undefined ? [key] : []))
  }
}

/** The first record with each name. */
function namesOf(records: readonly StoredRecord[]): ReadonlyMap<unknown, StoredRecord> {
  const named = new Map<unknown, StoredRecord>()
  for (const record of records) {
    if (!isObject(record)) continue
    for (const field of NAMES) if (record[field] && !named.has(record[field])) named.set(record[field], record)
  }
  return named
}

/** The future contents of a world that loads seed data. Nothing is stored yet. */
export class Draft {
  readonly #data: WorldData
  readonly #replacesAll: boolean
  readonly #kinds = new Map<string, DraftKind>()

  constructor(data: WorldData, { replacesAll }: { replacesAll: boolean }) {
    this.#data = data
    this.#replacesAll = replacesAll
  }

  kind(name: string): DraftKind {
    let kind = this.#kinds.get(name)
    if (kind === undefined) {
      kind = new DraftKind(definitionOf(name), this.#replacesAll ? undefined : this.#data.tables[name as TableName])
      this.#kinds.set(name, kind)
    }
    return kind
  }

  /** Stores everything in one step. A world's changes also contain the IDs that are never used again. */
  commit({ areChanges = false } = {}): void {
    const records: Record<string, readonly StoredRecord[]> = {}
    const removed: Record<string, readonly Key[]> = {}
    for (const [name, kind] of this.#kinds) {
      records[name] = kind.changed
      removed[name] = kind.removed
    }
    const stored = this.#replacesAll ? [] : this.#data.tables.sequences.list()
    records.sequences = sequencesAfter((records.sequences ?? []) as Sequence[], areChanges ? {} : removed, stored)
    this.#data.load(records, { replacesAll: this.#replacesAll, removed })
  }
}
