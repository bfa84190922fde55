import type { EventRecord } from '../../resources/instance/events/schema.js'
import type { AnyTableDefinition } from '../../resources/shared/table.js'
import { type KindName, kinds } from '../../resources/tables.js'
import type { KeptWorld, WorldPosition } from '../../sessions/world.js'
import { dataOf, type WorldData } from '../../state/state.js'
import type { Change, Commit } from '../../store/commit.js'
import type { Key } from '../../store/table.js'
import { POSITION, type Row, type Rows } from './rows.js'

/*
 * A world is stored as the records that it started with, many in a row; on top of them, what changed since, a row for
 * each record; and its position. So a change writes what it changes, and a new world few rows.
 */

/** The list of the rows with what a world started with: lines of JSON, each a table's name and a record. */
const START = 'start'

/** The list of the rows with events, one for each commit (or several, if there are many): lines of JSON. */
const EVENTS = 'events'

/** Characters of the lines that share a row. */
const CHUNK = 200_000

/** Rows with events that are stored of a world. The oldest are dropped first, a hundred at a time. */
const EVENTS_STORED = 2000

/** Lists of records, by their tables. */
export type Lists = Iterable<readonly [table: string, records: readonly object[]]>

/** A world whose rows follow its data. */
export class StoredWorld {
  readonly data: WorldData
  readonly #rows: Rows
  readonly #name: string
  /** What it started with. A record of these leaves a row when it is removed. */
  readonly #start = new Set<string>()
  #lastRank = 0
  #lastEvents = 0
  #position: string | undefined

  constructor(rows: Rows, name: string, data: WorldData) {
    this.#rows = rows
    this.#name = name
    this.data = data
  }

  /** Its position as it was saved last. */
  get position(): WorldPosition | undefined {
    return this.#position === undefined ? undefined : (JSON.parse(this.#position) as WorldPosition)
  }

  /** A world that goes on with its rows. Throws if they can't be read. */
  static resume(rows: Rows, name: string, stored: readonly Row[]): StoredWorld {
    const tables = new Map<string, Map<Key, object>>()
    const start: string[] = []
    for (const { list, text } of stored) {
      for (const line of list === START ? linesOf(text) : []) {
        const [table, record] = JSON.parse(line) as [string, object]
        put(tables, table, record)
        start.push(placeOf(table, keyOf(table, record)))
      }
    }
    for (const row of stored) {
      if (row.list === EVENTS) for (const line of linesOf(row.text)) put(tables, EVENTS, JSON.parse(line) as object)
      else if (row.list !== START && row.list !== POSITION) applyRow(tables, row)
    }
    const events = [...(tables.get(EVENTS) ?? [])].toSorted(([one], [other]) => Number(one) - Number(other))
    const world = new StoredWorld(rows, name, dataOf(tables.set(EVENTS, new Map(events))))
    for (const place of start) world.#start.add(place)
    world.#lastRank = stored.at(-1)?.rank ?? 0
    world.#lastEvents = Number(stored.findLast(({ list }) => list === EVENTS)?.key ?? 0)
    world.#position = stored.find(({ list }) => list === POSITION)?.text ?? undefined
    return world
  }

  /** Stores what a new world starts with, in place of what was stored under its name. */
  writeStart(lists: Lists): void {
    this.#rows.removeWorld(this.#name)
    const lines: string[] = []
    for (const [table, records] of lists) {
      for (const record of records) {
        lines.push(JSON.stringify([table, record]))
        this.#start.add(placeOf(table, keyOf(table, record)))
      }
    }
    for (const { from, text } of chunksOf(lines)) this.#put(START, pad(from), text)
  }

  writeCommit({ changes, events }: Commit<EventRecord>): void {
    for (const [table, list] of changes) {
      const removed = new Set(list.flatMap(({ key, after }) => (after === undefined ? [key] : [])))
      for (const change of list)
        this.#writeChange(table, change, change.before === undefined || removed.has(change.key))
    }
    for (const { text } of chunksOf(events.map((event) => JSON.stringify(event)))) this.#writeEvents(text)
  }

  /** Whether what is stored is a world's current data and position. */
  isCurrent({ data, position }: KeptWorld): boolean {
    return data === this.data && JSON.stringify(position) === this.#position
  }

  writePosition(position: WorldPosition): void {
    const text = JSON.stringify(position)
    if (text === this.#position) return
    this.#put(POSITION, POSITION, text)
    this.#position = text
  }

  /** A record that was added comes after all others, also if it was removed before. */
  #writeChange(table: string, { key, after }: Change, isAdded: boolean): void {
    const row = { world: this.#name, list: table, key: JSON.stringify(key) }
    if (after !== undefined) {
      const rank = isAdded ? ++this.#lastRank : 0
      this.#rows.put({ ...row, rank, text: JSON.stringify(after) })
    } else if (this.#start.has(placeOf(table, key))) this.#rows.put({ ...row, rank: 0, text: null })
    else this.#rows.remove(row)
  }

  #writeEvents(text: string): void {
    this.#put(EVENTS, pad(++this.#lastEvents), text)
    if (this.#lastEvents % 100 !== 0) return
    this.#rows.removeBefore({ world: this.#name, list: EVENTS, key: pad(this.#lastEvents - EVENTS_STORED) })
  }

  #put(list: string, key: string, text: string): void {
    this.#rows.put({ world: this.#name, list, key, rank: 0, text })
  }
}

/** Lines, joined in chunks of limited length, each with the position of its first line. */
function chunksOf(lines: readonly string[]): { from: number; text: string }[] {
  const chunks: { from: number; text: string }[] = []
  for (const [from, line] of lines.entries()) {
    const chunk = chunks.at(-1)
    if (chunk !== undefined && chunk.text.length + line.length <= CHUNK) chunk.text += `\n${line}`
    else chunks.push({ from, text: line })
  }
  return chunks
}

function linesOf(text: string | null): string[] {
  return (text ?? '').split('\n').filter((line) => line !== '')
}

/** A number as a key that sorts. */
export function pad(number: number): string {
  return String(number).padStart(15, '0')
}

export function listsOf({ tables: { events: _, ...tables }, events }: WorldData): Lists {
  return [...Object.entries(tables).map(([name, table]) => [name, table.list()] as const), [EVENTS, events]]
}

/** The records of a commit that replaces all others. */
export function listsIn({ changes, events }: Commit<EventRecord>): Lists {
  const lists = [...changes].map(([table, list]) => [table, list.flatMap(({ after }) => after ?? [])] as const)
  return [...lists, [EVENTS, events]]
}

function applyRow(tables: Map<string, Map<Key, object>>, { list, key, rank, text }: Row): void {
  if (text === null || rank > 0) tables.get(list)?.delete(JSON.parse(key) as Key)
  if (text !== null) put(tables, list, JSON.parse(text) as object)
}

function put(tables: Map<string, Map<Key, object>>, table: string, record: object): void {
  const records = tables.get(table) ?? new Map<Key, object>()
  tables.set(table, records.set(keyOf(table, record), record))
}

function keyOf(table: string, record: object): Key {
  if (!Object.hasOwn(kinds, table)) throw new Error(`there is no table "${table}"`)
  const { key }: AnyTableDefinition = kinds[table as KindName]
  return key(record)
}

function placeOf(table: string, key: Key): string {
  return `${table}\n${JSON.stringify(key)}`
}
