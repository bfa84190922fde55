import type { AnyTableDefinition } from '../../resources/shared/table.js'
import { type KindName, kinds } from '../../resources/tables.js'
import { EVENTS_KEPT } from '../../store/event-log.js'
import type { Key } from '../../store/table.js'
import { isObject } from '../../support/json-path.js'
import { FORMAT, type Header, type Line } from './format.js'

/** A state as a file holds it: for each table, its records by their keys. */
interface StoredState {
  id: number
  session: string
  scenario: string
  tables: Map<string, Map<Key, object>>
  /** Bytes of its snapshot. */
  bytes: number
}

/** What a file holds. */
export interface Stored {
  header: Header
  states: StoredState[]
  active: Map<string, readonly string[]>
  /** Whether the file ends with a line that was cut off, or a snapshot. More can't be appended then. */
  isCut: boolean
  /** Bytes that a file with only the current snapshots would have. */
  bytes: number
}

/** A line that can't be understood, counted from 1. */
class LineError extends Error {
  constructor(line: number, reason: string) {
    super(`line ${line} ${reason}`)
  }
}

const NEWLINE = 10

/** The header of a state file, or undefined if these bytes are something else. */
export function readHeader(bytes: Uint8Array): Header | undefined {
  const end = bytes.indexOf(NEWLINE)
  if (end === -1 || end > 1000) return undefined
  try {
    const header: unknown = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)))
    return isHeader(header) ? header : undefined
  } catch {
    return undefined
  }
}

function isHeader(given: unknown): given is Header {
  return isObject(given) && given.flagdouble === 'state'
}

/** Replays a file line by line. A last line that was cut off counts as never written. Throws a `LineError`. */
export function replay(bytes: Uint8Array, header: Header): Stored {
  if (header.format !== FORMAT) throw new LineError(1, `has the format ${header.format}, which is not known here`)
  const replayed = new Replayed()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let start = bytes.indexOf(NEWLINE) + 1
  for (let number = 2; ; number++) {
    const end = bytes.indexOf(NEWLINE, start)
    if (end === -1) break
    try {
      replayed.apply(JSON.parse(decoder.decode(bytes.subarray(start, end))) as Line, end + 1 - start)
    } catch (error) {
      throw new LineError(number, `can't be read: ${error instanceof Error ? error.message : String(error)}`)
    }
    start = end + 1
  }
  return { header, ...replayed.result(), isCut: start < bytes.length || replayed.isUnfinished }
}

class Replayed {
  readonly #states = new Map<number, StoredState>()
  /** Snapshots whose end hasn't come yet. They count only when it does. */
  readonly #unfinished = new Map<number, StoredState>()
  readonly #active = new Map<string, readonly string[]>()

  get isUnfinished(): boolean {
    return this.#unfinished.size > 0
  }

  result(): Pick<Stored, 'states' | 'active' | 'bytes'> {
    const states = [...this.#states.values()]
    for (const { tables } of states) dropOldest(tables.get('events'))
    return { states, active: this.#active, bytes: states.reduce((sum, { bytes }) => sum + bytes, 0) }
  }

  apply(line: Line, bytes: number): void {
    if ('begin' in line) {
      const { session, scenario } = line
      this.#unfinished.set(line.begin, { id: line.begin, session, scenario, tables: new Map(), bytes })
    } else if ('in' in line) {
      const state = existing(this.#unfinished, line.in)
      state.bytes += bytes
      put(state, line.table, line.record)
    } else if ('end' in line) {
      this.#states.set(line.end, existing(this.#unfinished, line.end))
      this.#unfinished.delete(line.end)
    } else if ('change' in line) change(existing(this.#states, line.change), line)
    else if ('drop' in line) this.#states.delete(line.drop)
    else if ('forget' in line) this.#forget(line.forget)
    else if ('active' in line) {
      if (line.active === null) this.#active.delete(line.session)
      else this.#active.set(line.session, line.active)
    } else throw new Error('there is no such kind of line')
  }

  #forget(session: string): void {
    this.#active.delete(session)
    for (const [id, state] of this.#states) if (state.session === session) this.#states.delete(id)
  }
}

function existing(states: ReadonlyMap<number, StoredState>, id: number): StoredState {
  const state = states.get(id)
  if (state === undefined) throw new Error(`there is no state ${id}`)
  return state
}

function change(
  state: StoredState,
  { put: records = {}, remove = {}, events = [] }: Extract<Line, { change: number }>,
) {
  for (const [table, list] of Object.entries(records)) for (const record of list) put(state, table, record)
  for (const [table, keys] of Object.entries(remove)) for (const key of keys) state.tables.get(table)?.delete(key)
  for (const event of events) put(state, 'events', event)
}

function put({ tables }: StoredState, table: string, record: object): void {
  if (!Object.hasOwn(kinds, table)) throw new Error(`there is no table "${table}"`)
  const { key }: AnyTableDefinition = kinds[table as KindName]
  const records = tables.get(table) ?? new Map<Key, object>()
  tables.set(table, records.set(key(record), record))
}

function dropOldest(events: Map<Key, object> | undefined): void {
  if (events === undefined) return
  for (const id of events.keys()) {
    if (events.size <= EVENTS_KEPT) break
    events.delete(id)
  }
}
