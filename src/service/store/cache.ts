import { JsonText } from '../../support/json.js'

/** The maximum characters in a mock's cache. */
export const CHARACTERS_CACHED = 64 * 1024 * 1024

/** Up to this many records of a table, results about all of them are not cached: they are quick to compute. */
const FEW = 10

/** The inputs of a result besides the records of its table, such as the versions of other tables. */
type Basis = readonly (string | number | boolean)[]

/** Results computed from the records of a table, until an input changes. */
export interface TableCache {
  /** A result computed from any of the records: a text, or a small value. */
  answer<Made>(name: string, basis: Basis, make: () => Made): Made
  /** Returns a function that writes a record, or reuses the text that it wrote before: records never change. */
  texts<Item extends object>(name: string, basis: Basis, write: (record: Item) => string): (record: Item) => JsonText
}

/** The cache of a table with uncommitted changes: it computes everything again. */
export const uncached: TableCache = {
  answer: (_name, _basis, make) => make(),
  texts: (_name, _basis, write) => (record) => new JsonText(write(record)),
}

interface Entry {
  basis: string
  made: unknown
  characters: number
}

/** The cache of all tables in all worlds of a mock. If space is short, it drops the least recently used entry. */
export class Cache {
  readonly #most: number
  /** The least recently used entry first. */
  readonly #entries = new Map<string, Entry>()
  #newest: Entry | undefined
  #characters = 0
  #tables = 0

  constructor(most = CHARACTERS_CACHED) {
    this.#most = most
  }

  /** The part of the cache for one table. */
  forTable(table: { readonly size: number; readonly version: number }): TableCache {
    const id = ++this.#tables
    return {
      answer: <Made>(name: string, basis: Basis, make: () => Made) => {
        if (table.size <= FEW) return make()
        return this.#use(`${id} ${name}`, [table.version, ...basis], make).made as Made
      },
      texts: (name, basis, write) => {
        const key = `${id} texts: ${name}`
        const entry = this.#use(key, basis, () => new WeakMap())
        const texts = entry.made as WeakMap<object, JsonText>
        return (record) => {
          const known = texts.get(record)
          if (known !== undefined) return known
          const written = new JsonText(write(record))
          texts.set(record, written)
          if (this.#take(key) === entry) this.#put(key, entry, written.text.length)
          return written
        }
      },
    }
  }

  /** The entry of a key, computed again if its inputs have changed. */
  #use(key: string, on: Basis, make: () => unknown): Entry {
    const basis = on.join()
    const known = this.#entries.get(key)
    if (known !== undefined && known.basis === basis) {
      return known === this.#newest ? known : this.#put(key, this.#take(key) ?? known)
    }
    this.#take(key)
    const made = make()
    return this.#put(key, { basis, made, characters: made instanceof JsonText ? made.text.length : 0 }, key.length)
  }

  #take(key: string): Entry | undefined {
    const entry = this.#entries.get(key)
    this.#entries.delete(key)
    this.#characters -= entry?.characters ?? 0
    return entry
  }

  /** Moves an entry behind all others, if the cache has room for it. */
  #put(key: string, entry: Entry, more = 0): Entry {
    entry.characters += more
    if (entry.characters > this.#most) return entry
    this.#entries.set(key, entry)
    this.#newest = entry
    this.#characters += entry.characters
    for (const oldest of this.#entries.keys()) {
      if (this.#characters <= this.#most) break
      this.#take(oldest)
    }
    return entry
  }
}
