import { type Entry, hasRecords, headerLine, isSnapshot, textsOf } from '../../../engine/persistence/format.js'
import type { CommitLog } from '../../../engine/persistence/kept-sessions.js'
import { type Replayed, readHeader, replay } from '../../../engine/persistence/replay.js'
import { MockError } from '../../../service/contract/mock-errors.js'
import { reasonOf } from '../../../support/errors.js'
import { version } from '../../../version.js'
import type { ObjectStorage } from './platform.js'

/** Characters of one row. SQLite's rows hold 2 MB, and a character may take three bytes. */
const ROW = 480_000

/** Characters of a scenario's clock, ids and force rules. They are written again with each request that changes them. */
const POSITION_KEPT = 480_000

/** Characters of outdated lines from which on the log is compacted, if they are at least half of it. */
const WORTH_COMPACTING = 1024 * 1024

/** How much is stored, in characters. */
interface Size {
  /** The number of the last row. */
  rows: number
  all: number
  /** Of the records. Only they are limited: everything else is bounded by itself. */
  records: number
}

const NOTHING: Size = { rows: 0, all: 0, records: 0 }

interface ObjectLogOptions {
  /** The most characters of records. */
  limit: number
  /** Everything that is kept now, except for a state. */
  everything: (except?: number) => readonly Entry[]
}

/** Keeps a log in the rows of a Durable Object. Each write is a transaction: it is stored, or nothing is changed. */
export class ObjectLog implements CommitLog {
  readonly #storage: ObjectStorage
  readonly #options: ObjectLogOptions
  #size = NOTHING
  /** How much was stored after the last compaction. */
  #compacted = NOTHING

  constructor(storage: ObjectStorage, options: ObjectLogOptions) {
    this.#storage = storage
    this.#options = options
    try {
      storage.sql.exec('CREATE TABLE IF NOT EXISTS kept (key INTEGER PRIMARY KEY, text TEXT)')
    } catch (error) {
      throw notSaved(error, 'wrangler.jsonc must list FlagdoubleSession in new_sqlite_classes (docs/deploy.md).')
    }
  }

  /** What is stored; undefined if nothing is. Throws if it can't be read. */
  read(): Replayed | undefined {
    const rows = [...this.#storage.sql.exec('SELECT key, text FROM kept ORDER BY key')]
    if (rows.length === 0) return undefined
    const text = rows.map((row) => String(row.text)).join('')
    const bytes = new TextEncoder().encode(text)
    const header = readHeader(bytes)
    if (header === undefined) throw new Error('line 1 is not the header of a log')
    const read = replay(bytes, header)
    if (read.end < bytes.length) throw new Error('its last line is not complete')
    this.#size = { rows: Number(rows.at(-1)?.key), all: text.length, records: text.length }
    this.#compacted = { ...this.#size, all: read.current, records: 0 }
    return read
  }

  /**
   * Throws `TOO_MUCH_DATA` if the records don't fit, even without what is outdated. A commit that makes them smaller
   * fits, although it is added to a log in which they are still whole.
   */
  add(entries: readonly Entry[]): void {
    // What is kept now is without what has been forgotten.
    if (entries.some((entry) => 'forget' in entry)) this.compact()
    else this.#add(entries)
  }

  #add(entries: readonly Entry[]): void {
    const { limit } = this.#options
    const { rows, records } = measured(entries)
    const fits = (most: number) => records === 0 || this.#size.records + records <= most
    const isOutdated = !fits(limit) && this.#size.records > this.#compacted.records
    if (isOutdated || this.#isWorthCompacting) this.compact()
    this.#transact(() => {
      const replaced = entries.find((entry) => isSnapshot(entry) && entry.isAgain)
      if (!fits(limit) && replaced !== undefined && isSnapshot(replaced)) this.#rewrite(replaced.id)
      if (!fits(shrinks(entries) ? 2 * limit : limit)) throw tooMuch(`${limit.toLocaleString('en')} characters of JSON`)
      this.#append(rows, records)
    })
  }

  durable(): undefined {}

  /** Stores only what counts. */
  compact(): void {
    this.#transact(() => this.#rewrite())
    this.#compacted = this.#size
  }

  get #isWorthCompacting(): boolean {
    return this.#size.all - this.#compacted.all > Math.max(WORTH_COMPACTING, this.#compacted.all)
  }

  #rewrite(except?: number): void {
    this.#storage.sql.exec('DELETE FROM kept')
    this.#size = NOTHING
    const { rows, records } = measured(this.#options.everything(except))
    this.#append(rows, records)
  }

  #append(rows: readonly string[], records: number): void {
    const { rows: last, all } = this.#size
    const first = last === 0 ? [headerLine()] : []
    let key = last
    for (const row of [...first, ...rows].reduce<string[]>(joined, [])) {
      this.#storage.sql.exec('INSERT INTO kept (key, text) VALUES (?, ?)', ++key, row)
    }
    const length = rows.reduce((sum, row) => sum + row.length, 0)
    this.#size = { rows: key, all: all + length, records: this.#size.records + records }
  }

  #transact(write: () => void): void {
    const before = this.#size
    try {
      this.#storage.transactionSync(write)
    } catch (error) {
      this.#size = before
      if (error instanceof MockError) throw error
      throw notSaved(error, 'Nothing was changed. Send it again.')
    }
  }
}

/** The text of entries, and how much of it are records. Throws `TOO_MUCH_DATA` for rules that are too large. */
function measured(entries: readonly Entry[]): { rows: string[]; records: number } {
  const rows: string[] = []
  let records = 0
  for (const entry of entries) {
    for (const text of textsOf([entry])) {
      if (hasRecords(entry) || 'saved' in entry) records += text.length
      if ('position' in entry && text.length > POSITION_KEPT) {
        throw tooMuch(`${POSITION_KEPT.toLocaleString('en')} characters in the force rules of a scenario`)
      }
      rows.push(...piecesOf(text))
    }
  }
  return { rows, records }
}

/** Joins a text with the last one of a list, as long as they fit into a row. */
function joined(rows: string[], text: string): string[] {
  const last = rows.at(-1)
  if (last !== undefined && last.length + text.length <= ROW) rows[rows.length - 1] = last + text
  else rows.push(text)
  return rows
}

/** A text in pieces that fit into a row. A character of two halves stays whole: they can't be stored apart. */
function piecesOf(text: string): string[] {
  const pieces: string[] = []
  for (let start = 0; start < text.length; ) {
    const end = start + ROW
    const isBetweenHalves = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800
    pieces.push(text.slice(start, isBetweenHalves ? end - 1 : end))
    start = isBetweenHalves ? end - 1 : end
  }
  return pieces
}

/** Whether commits make records smaller. The events that tell of it don't count. */
function shrinks(entries: readonly Entry[]): boolean {
  const changes = entries.flatMap((entry) => (hasRecords(entry) && !isSnapshot(entry) ? [...entry.commit.changes] : []))
  const length = (record: object | undefined) => (record === undefined ? 0 : JSON.stringify(record).length)
  const growth = changes
    .flatMap(([, list]) => list)
    .reduce((sum, { before, after }) => sum + length(after) - length(before), 0)
  return growth < 0 && !entries.some(isSnapshot)
}

function notSaved(error: unknown, hint: string): MockError {
  const reason = reasonOf(error)
  return new MockError('STATE_NOT_SAVED', `The storage failed: ${reason}`, hint)
}

function tooMuch(what: string): MockError {
  return new MockError(
    'TOO_MUCH_DATA',
    `A session on Cloudflare Workers holds at most ${what}. Nothing was changed.`,
    'Remove what is no longer needed, or reset the session. createWorker takes another limit: { limits: { stateSize } }.',
  )
}

/** The error for what is stored and can't be read. */
export function unreadable(name: string, error: unknown): MockError {
  const reason = error instanceof MockError ? error.problem : reasonOf(error)
  return new MockError(
    'STATE_UNREADABLE',
    `What is stored of the session "${name}" can't be read by flagdouble ${version}: ${reason}`,
    'Deploy the version that stored it again, or discard the session with POST /__mock/reset.',
  )
}
