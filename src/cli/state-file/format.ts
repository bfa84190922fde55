import type { EventRecord } from '../../resources/instance/events/schema.js'
import type { WorldData } from '../../state/state.js'
import type { Commit } from '../../store/commit.js'
import type { Key } from '../../store/table.js'
import { version } from '../../version.js'

/*
 * A state file is a log, one JSON value per line: a header, then for each state a snapshot (its start, its records, its
 * end), then one line per change. It is only ever appended to, or replaced as a whole.
 */

export const FORMAT = 1

/** The first line. It names the version of flagdouble, since the shape of records may change with it. */
export interface Header {
  flagdouble: 'state'
  format: number
  version: string
}

/** A line after the first one. States are numbered within the file. */
export type Line =
  | { begin: number; session: string; scenario: string }
  | { in: number; table: string; record: object }
  | { end: number }
  | { change: number; put?: Record<string, object[]>; remove?: Record<string, Key[]>; events?: object[] }
  | { drop: number }
  | { session: string; active: readonly string[] | null }
  | { forget: string }

/** A whole state at one moment. Records are immutable, so it can be written at leisure. */
export interface Snapshot {
  id: number
  session: string
  scenario: string
  lists: readonly (readonly [table: string, records: readonly object[]])[]
  /** Whether the file holds no older snapshot of this state. */
  isFirst: boolean
}

/** What is written: a line, or a snapshot of many lines. */
export type Entry = Line | Snapshot

/** Characters to write at once. Small enough that making them delays no request noticeably. */
const CHUNK = 64 * 1024

export function headerLine(): string {
  const header: Header = { flagdouble: 'state', format: FORMAT, version }
  return `${JSON.stringify(header)}\n`
}

export function snapshotOf(
  data: WorldData,
  about: Pick<Snapshot, 'id' | 'session' | 'scenario' | 'isFirst'>,
): Snapshot {
  const { events: _, ...tables } = data.tables
  const lists = Object.entries(tables).map(([name, table]) => [name, table.list()] as const)
  return { ...about, lists: [...lists, ['events', data.events]] }
}

export function changeLine(id: number, { changes, events }: Commit<EventRecord>): Line {
  const put: Record<string, object[]> = {}
  const remove: Record<string, Key[]> = {}
  for (const [table, list] of changes) {
    const records = list.flatMap(({ after }) => after ?? [])
    const removed = list.filter(({ after }) => after === undefined).map(({ key }) => key)
    if (records.length > 0) put[table] = records
    if (removed.length > 0) remove[table] = removed
  }
  return {
    change: id,
    ...(Object.keys(put).length > 0 && { put }),
    ...(Object.keys(remove).length > 0 && { remove }),
    ...(events.length > 0 && { events: [...events] }),
  }
}

export function isSnapshot(entry: Entry): entry is Snapshot {
  return 'lists' in entry
}

/** The text of entries, in chunks that are made one at a time. */
export function* textsOf(entries: Iterable<Entry>): Generator<string> {
  let text = ''
  for (const line of linesOf(entries)) {
    text += `${JSON.stringify(line)}\n`
    if (text.length < CHUNK) continue
    yield text
    text = ''
  }
  if (text !== '') yield text
}

function* linesOf(entries: Iterable<Entry>): Generator<Line> {
  for (const entry of entries) {
    if (!isSnapshot(entry)) {
      yield entry
      continue
    }
    const { id, session, scenario, lists } = entry
    yield { begin: id, session, scenario }
    for (const [table, records] of lists) for (const record of records) yield { in: id, table, record }
    yield { end: id }
  }
}

export function recordsIn(entries: readonly Entry[]): number {
  return entries.reduce(
    (sum, entry) => sum + (isSnapshot(entry) ? entry.lists.reduce((count, [, list]) => count + list.length, 0) : 1),
    0,
  )
}
