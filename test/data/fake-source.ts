import type { Change, Commit, DataSource, Key } from '../../src/data/source.js'
import { deepFreeze } from '../../src/support/freeze.js'

type Records = Readonly<Record<string, readonly object[]>>

/** A world as the collections see it, to be changed by hand. */
export class FakeSource implements DataSource {
  reads = 0
  #tables = new Map<string, Map<Key, object>>()
  readonly #keys: Readonly<Record<string, (record: object) => Key>>
  readonly #listeners = new Set<(commit: Commit | undefined) => void>()

  constructor(tables: Readonly<Record<string, { key(record: object): Key }>>, records: Records) {
    this.#keys = Object.fromEntries(Object.entries(tables).map(([name, { key }]) => [name, key]))
    this.replaceWorld(records)
  }

  records(table: string): readonly object[] {
    this.reads++
    return [...(this.#tables.get(table)?.values() ?? [])]
  }

  onCommit(listener: (commit: Commit | undefined) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  replaceWorld(records: Records): void {
    this.#tables = new Map(Object.keys(this.#keys).map((name) => [name, new Map()]))
    for (const [name, list] of Object.entries(records)) for (const record of list) this.#put(name, record)
    for (const listener of this.#listeners) listener(undefined)
  }

  /** Puts records in place, and removes those of some keys, in one commit. */
  commit(put: Records, remove: Readonly<Record<string, readonly Key[]>> = {}): void {
    const changes = new Map<string, Change[]>()
    for (const [name, list] of Object.entries(put)) {
      changes.set(
        name,
        list.map((record) => this.#put(name, record)),
      )
    }
    for (const [name, keys] of Object.entries(remove)) {
      const removed = keys.map((key) => ({ key, before: this.#tables.get(name)?.get(key), after: undefined }))
      for (const { key } of removed) this.#tables.get(name)?.delete(key)
      changes.set(name, [...(changes.get(name) ?? []), ...removed])
    }
    const events = put.events ?? []
    changes.delete('events')
    for (const listener of this.#listeners) listener({ changes, events })
  }

  #put(name: string, record: object): Change {
    const key = this.#keys[name]?.(record) ?? ''
    const before = this.#tables.get(name)?.get(key)
    this.#tables.get(name)?.set(key, deepFreeze(record))
    return { key, before, after: record }
  }
}
