import { MockError } from '../../contract/mock-errors.js'
import type { ObjectStorage } from './platform.js'

/** The place of a row: a list of a world, or (with the world `''`) of the session, and a key in it. */
export interface Place {
  world: string
  list: string
  key: string
}

export interface Row extends Place {
  /** Above 0 for a record that was added: they are in this order, after those that were there from the start. */
  rank: number
  /** JSON. Null for a record that was there from the start and is removed. */
  text: string | null
}

/** The list, and the key in it, of the row with a world's position. */
export const POSITION = 'position'

/** Characters of one row. SQLite's rows hold 2 MB, and a character may take four bytes. */
const ROW_KEPT = 480_000

/** The rows that an object stores, none of them larger than `ROW_KEPT` and those of worlds no larger than a limit together. */
export class Rows {
  readonly #storage: ObjectStorage
  readonly #limit: number
  /** Characters, by place. */
  #sizes = new Map<string, number>()
  #total = 0

  constructor(storage: ObjectStorage, limit: number) {
    this.#storage = storage
    this.#limit = limit
    try {
      storage.sql.exec(
        'CREATE TABLE IF NOT EXISTS kept (world TEXT, list TEXT, key TEXT, rank INTEGER, text TEXT, ' +
          'PRIMARY KEY (world, list, key)) WITHOUT ROWID',
      )
    } catch (error) {
      throw notSaved(error, 'wrangler.jsonc must list FlagdoubleSession in new_sqlite_classes (docs/deploy.md).')
    }
  }

  /** All rows by their worlds, in the order in which they apply. */
  read(): Map<string, Row[]> {
    const found = [...this.#storage.sql.exec('SELECT * FROM kept ORDER BY world, rank, key')]
    const worlds = new Map<string, Row[]>()
    this.#sizes.clear()
    this.#total = 0
    for (const { world, list, key, rank, text } of found) {
      const row = { world: String(world), list: String(list), key: String(key), rank: Number(rank) }
      const rows = worlds.get(row.world) ?? []
      worlds.set(row.world, rows)
      rows.push({ ...row, text: typeof text === 'string' ? text : null })
      this.#measure(row, typeof text === 'string' ? text.length : 0)
    }
    return worlds
  }

  /** Does several writes, or none of them if one throws. Throws `STATE_NOT_SAVED` where the storage fails. */
  transact(write: () => void): void {
    try {
      this.#storage.transactionSync(write)
    } catch (error) {
      this.read()
      if (error instanceof MockError) throw error
      throw notSaved(error, 'Nothing was changed. Send it again.')
    }
  }

  /** Throws `TOO_MUCH_DATA`. */
  put({ world, list, key, rank, text }: Row): void {
    const size = text?.length ?? 0
    const grows = this.#measure({ world, list, key }, size)
    if (size > ROW_KEPT) throw tooMuch(`${ROW_KEPT.toLocaleString('en')} characters in one record`)
    if (grows && this.#total > this.#limit) throw tooMuch(`${this.#limit.toLocaleString('en')} characters of JSON`)
    this.#storage.sql.exec(
      'INSERT INTO kept (world, list, key, rank, text) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET ' +
        'text = excluded.text, rank = CASE WHEN excluded.rank > 0 THEN excluded.rank ELSE rank END',
      world,
      list,
      key,
      rank,
      text,
    )
  }

  remove({ world, list, key }: Place): void {
    this.#measure({ world, list, key }, 0)
    this.#storage.sql.exec('DELETE FROM kept WHERE world = ? AND list = ? AND key = ?', world, list, key)
  }

  /** Removes all rows of a list whose keys come before this one. */
  removeBefore({ world, list, key }: Place): void {
    this.#forget(`${world}\n${list}\n`, key)
    this.#storage.sql.exec('DELETE FROM kept WHERE world = ? AND list = ? AND key < ?', world, list, key)
  }

  removeWorld(world: string): void {
    this.#forget(`${world}\n`)
    this.#storage.sql.exec('DELETE FROM kept WHERE world = ?', world)
  }

  #forget(prefix: string, before?: string): void {
    for (const [place, size] of this.#sizes) {
      if (!place.startsWith(prefix) || (before !== undefined && place.slice(prefix.length) >= before)) continue
      this.#sizes.delete(place)
      this.#total -= size
    }
  }

  /** Returns whether the total grows. Rows that are bounded in number, such as those of the journal, don't count. */
  #measure({ world, list, key }: Place, size: number): boolean {
    if (world === '' || list === POSITION) return false
    const place = `${world}\n${list}\n${key}`
    const before = this.#sizes.get(place) ?? 0
    this.#total += size - before
    this.#sizes.set(place, size)
    return size > before
  }
}

function notSaved(error: unknown, hint: string): MockError {
  const reason = error instanceof Error ? error.message : String(error)
  return new MockError('STATE_NOT_SAVED', `The storage failed: ${reason}`, hint)
}

function tooMuch(what: string): MockError {
  return new MockError(
    'TOO_MUCH_DATA',
    `A session on Cloudflare Workers holds at most ${what}. Nothing was changed.`,
    'Remove what is no longer needed, or reset the session. createWorker takes another limit: { limits: { stateSize } }.',
  )
}
