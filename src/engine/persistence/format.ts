import * as z from 'zod'
import { placesIn } from '../../service/store/reversal.js'
import type { Change, Commit, Key } from '../../service/store/table.js'
import { isObject } from '../../support/json.js'
import { version } from '../../version.js'
import { forceRuleSchema } from '../scenarios/force-rule.js'
import type { JournalEntry } from '../sessions/journal-entry.js'
import type { Moment, Setting, WorldPosition } from '../sessions/steps.js'
import type { WorldData } from '../state/state.js'

/*
 * What is kept is a log, one JSON value per line: a header, then for each state a snapshot (its start, its records, its
 * end), then a line for each commit. It is only ever appended to, or replaced as a whole.
 */

export const FORMAT = 1

/** The first line. It names the version of flagdouble, since the shape of records may change with it. */
export interface Header {
  flagdouble: 'state'
  format: number
  version: string
}

const anyRecord = z.custom<object>(isObject, 'must be an object')
const key = z.union([z.string(), z.number()])
const recordsByTable = z.record(z.string(), z.array(anyRecord))

const positionFields = {
  clock: z.union([z.object({ frozenAt: z.number() }), z.object({ offset: z.number() })]),
  ids: z.array(z.int()).length(4).optional(),
  rules: z.object({
    rules: z.array(z.object({ id: z.string(), rule: forceRuleSchema, seen: z.int() })),
    lastId: z.int(),
  }),
}
const positionSchema: z.ZodType<WorldPosition> = z.object(positionFields)
const settingSchema = z.object(positionFields).partial()

const momentSchema = z.object({
  id: z.int(),
  time: z.number(),
  cause: z.object({ what: z.string(), title: z.string(), params: z.record(z.string(), z.string()).optional() }),
})

const changeSchema = z.object({
  key,
  before: anyRecord.optional(),
  after: anyRecord.optional(),
  next: key.optional(),
})

const journalEntrySchema = z.looseObject({
  id: z.int(),
  time: z.iso.datetime(),
  method: z.string(),
  path: z.string(),
  operation: z.string().nullable(),
  scenario: z.string(),
  status: z.int(),
  durationMs: z.number(),
  matched: z.boolean(),
})

const visitSchema = z.object({ names: z.array(z.string()).min(1).readonly(), at: z.int() })

/** A schema for a type that zod can't infer exactly. */
function as<Item>(schema: z.ZodType): z.ZodType<Item> {
  return z.custom<Item>((given) => schema.safeParse(given).success)
}

/** The lines after the header, by the property that only they have. States are numbered within the log. */
export const lineSchemas = {
  begin: z.object({ begin: z.int(), session: z.string(), scenario: z.string() }),
  in: z.object({ in: z.int(), table: z.string(), record: anyRecord }),
  end: z.object({ end: z.int() }),
  change: z.object({
    change: z.int(),
    put: recordsByTable.optional(),
    remove: z.record(z.string(), z.array(key)).optional(),
    /** Of records that come back: the key of each, and that of the one which it goes in front of. */
    next: z.record(z.string(), z.array(z.tuple([key, key]))).optional(),
    /** Whether the commit goes on in the next line. It counts only when it is complete. */
    more: z.boolean().optional(),
  }),
  drop: z.object({ drop: z.int() }),
  active: z.object({ session: z.string(), active: z.array(z.string()).min(1).nullable() }),
  visits: z.object({ visits: z.string(), back: visitSchema.optional(), forth: visitSchema.optional() }),
  forget: z.object({ forget: z.string() }),
  saved: z.object({ saved: z.looseObject({ name: z.string() }), by: z.string() }),
  unsaved: z.object({ unsaved: z.string() }),
  position: z.object({ of: z.int(), position: positionSchema }),
  /** Where the history of a state begins, each step that was added to it, and at which moment it is. */
  start: z.object({ start: z.int(), moment: as<Moment>(momentSchema) }),
  step: z.object({
    step: z.int(),
    moment: as<Moment>(momentSchema),
    changes: z.record(z.string(), z.array(as<Change>(changeSchema))).optional(),
    replacesAll: z.boolean().optional(),
    from: as<Setting>(settingSchema).optional(),
    to: as<Setting>(settingSchema).optional(),
  }),
  at: z.object({ at: z.int(), moment: z.int() }),
  entry: z.object({ entry: as<JournalEntry>(journalEntrySchema) }),
  /** The journal was emptied after so many entries. */
  emptied: z.object({ emptied: z.int() }),
} as const

type Schemas = typeof lineSchemas
export type LineOf<Kind extends keyof Schemas> = Readonly<z.output<Schemas[Kind]>>
export type Line = { [Kind in keyof Schemas]: LineOf<Kind> }[keyof Schemas]
export type HistoryLine = LineOf<'start'> | LineOf<'step'> | LineOf<'at'>

/** A whole state at one moment. Records are immutable, so it can be written at leisure. */
export interface Snapshot {
  id: number
  session: string
  scenario: string
  lists: Lists
  /** Whether the log holds an older snapshot of this state. */
  isAgain: boolean
}

export type Lists = readonly (readonly [table: string, records: readonly object[]])[]

/** What one write changed in a state. */
interface StateCommit {
  id: number
  commit: Commit
}

/** What is written: a line, or what takes many lines. */
export type Entry = Line | Snapshot | StateCommit

/** Records in a line of a commit, and characters of a chunk: small enough that making them delays no request noticeably. */
const RECORDS = 500
const CHUNK = 64 * 1024

export function headerLine(): string {
  const header: Header = { flagdouble: 'state', format: FORMAT, version }
  return `${JSON.stringify(header)}\n`
}

export function listsOf(data: WorldData): Lists {
  return [...data.contents()]
}

/** The records of a commit that replaces all others. */
export function listsIn({ changes }: Commit): Lists {
  return [...changes].map(([table, list]) => [table, list.flatMap(({ after }) => after ?? [])] as const)
}

export function isSnapshot(entry: Entry): entry is Snapshot {
  return 'lists' in entry
}

/** Whether an entry holds records, as opposed to what is noted about a session. */
export function hasRecords(entry: Entry): entry is Snapshot | StateCommit {
  return isSnapshot(entry) || 'commit' in entry
}

export function recordsIn(entries: readonly Entry[]): number {
  const size = (entry: Entry) => {
    if (isSnapshot(entry)) return entry.lists.reduce((count, [, list]) => count + list.length, 0)
    if (!hasRecords(entry)) return 1
    return [...entry.commit.changes.values()].reduce((count, list) => count + list.length, 0)
  }
  return entries.reduce((sum, entry) => sum + size(entry), 0)
}

/** The text of entries, in chunks of whole lines that are made one at a time. */
export function* textsOf(entries: Iterable<Entry>): Generator<string> {
  let text = ''
  for (const entry of entries) {
    for (const line of linesOf(entry)) {
      text += `${JSON.stringify(line)}\n`
      if (text.length < CHUNK) continue
      yield text
      text = ''
    }
  }
  if (text !== '') yield text
}

function* linesOf(entry: Entry): Generator<Line> {
  if (isSnapshot(entry)) {
    const { id, session, scenario, lists } = entry
    yield { begin: id, session, scenario }
    for (const [table, records] of lists) for (const record of records) yield { in: id, table, record }
    yield { end: id }
  } else if (hasRecords(entry)) yield* commitLines(entry)
  else yield entry
}

function* commitLines({ id, commit: { changes } }: StateCommit): Generator<Line> {
  const parts = [...changes].flatMap(([table, list]) => list.map((change) => ({ table, change })))
  for (let start = 0; start < parts.length; start += RECORDS) {
    const put: Record<string, object[]> = {}
    const remove: Record<string, Key[]> = {}
    const next: Record<string, [Key, Key][]> = {}
    for (const { table, change } of parts.slice(start, start + RECORDS)) {
      const { key, after } = change
      if (after === undefined) remove[table] = [...(remove[table] ?? []), key]
      else put[table] = [...(put[table] ?? []), after]
      const places = placesIn([change])
      if (places.length > 0) next[table] = [...(next[table] ?? []), ...places]
    }
    const isLast = start + RECORDS >= parts.length
    yield {
      change: id,
      remove: orNothing(remove),
      put: orNothing(put),
      next: orNothing(next),
      more: isLast ? undefined : true,
    }
  }
}

/** JSON leaves `undefined` out. */
function orNothing<Lists extends object>(lists: Lists): Lists | undefined {
  return Object.keys(lists).length === 0 ? undefined : lists
}
