import type { Known } from '../resources/shared/table.js'
import { type KindName, kinds, type TableName } from '../resources/tables.js'
import type { Key } from '../store/table.js'
import { isObject } from '../support/json.js'
import type { WorldData } from './state.js'

/** Fields besides the key by which people call a record. */
const NAMES = ['name', 'username', 'email']

/** The records that are there before given ones are added; none if the given ones replace everything. */
export class Stored {
  readonly #data: WorldData | undefined
  readonly #kinds = new Map<KindName, Known<object>>()
  readonly #named = new Map<KindName, ReadonlyMap<unknown, object>>()

  constructor(data: WorldData | undefined) {
    this.#data = data
  }

  kind(name: KindName): Known<object> | undefined {
    const replaced = this.#kinds.get(name)
    if (replaced !== undefined || this.#data === undefined) return replaced
    return name === 'events' ? this.#events(this.#data) : this.#data.tables[name as TableName]
  }

  /** The record with a key or, for kinds whose keys are numbers, with a name. */
  named(name: KindName, wanted: string): object | undefined {
    const known = this.kind(name)
    const found = known?.get(wanted) ?? (/^\d+$/.test(wanted) ? known?.get(Number(wanted)) : undefined)
    if (found !== undefined) return found
    return this.#byName(name).get(wanted)
  }

  #byName(name: KindName): ReadonlyMap<unknown, object> {
    const known = this.#named.get(name)
    if (known !== undefined) return known
    const named = new Map<unknown, object>()
    for (const record of this.kind(name)?.list() ?? []) {
      const names = isObject(record) ? NAMES.map((field) => record[field]) : []
      for (const one of names) if (one && !named.has(one)) named.set(one, record)
    }
    this.#named.set(name, named)
    return named
  }

  names(name: KindName): string[] {
    const { key } = kinds[name] as { key(record: object): Key }
    return (this.kind(name)?.list() ?? []).map((record) => String(key(record)))
  }

  /** Has records of a kind look removed, or changed. */
  replace(name: KindName, removed: ReadonlySet<Key>, changed: ReadonlyMap<Key, object>): void {
    const before = this.kind(name)
    const { key } = kinds[name] as { key(record: object): Key }
    if (before === undefined) return
    this.#named.delete(name)
    const get = (wanted: Key) => (removed.has(wanted) ? undefined : (changed.get(wanted) ?? before.get(wanted)))
    this.#kinds.set(name, {
      get,
      list: () => before.list().flatMap((record) => get(key(record)) ?? []),
    })
  }

  #events(data: WorldData): Known<object> {
    const byId = new Map<Key, object>(data.events.map((event) => [event.id, event]))
    const known = { get: (id: Key) => byId.get(id), list: () => data.events }
    this.#kinds.set('events', known)
    return known
  }
}
