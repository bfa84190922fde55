import type * as z from 'zod'
import { MockError } from '../../service/contract/mock-errors.js'
import type { AnyTableDefinition } from '../../service/resources/shared/table.js'
import { type TableName, tables } from '../../service/resources/tables.js'
import { EVENTS_KEPT } from '../../service/store/event-log.js'
import { moveInFront } from '../../service/store/reversal.js'
import type { Key } from '../../service/store/table.js'
import { reasonOf } from '../../support/errors.js'
import { DEEPEST, isObject } from '../../support/json.js'
import { version } from '../../version.js'
import type { SavedScenario } from '../scenarios/saved-scenarios.js'
import { parseScenario } from '../scenarios/scenario.js'
import type { JournalEntry } from '../sessions/journal-entry.js'
import type { KeptHistory, Visits, WorldPosition } from '../sessions/steps.js'
import { converted } from '../state/load-state.js'
import { dataOf, type WorldData } from '../state/state.js'
import { checkGiven } from '../state/state-fault.js'
import { FORMAT, type Header, type HistoryLine, type Line, type LineOf, lineSchemas } from './format.js'
import { afterLine, recordsOfStep } from './kept-history.js'

export interface KeptState {
  id: number
  session: string
  scenario: string
  data: WorldData
  position: WorldPosition | undefined
  history?: KeptHistory | undefined
}

/** What a log holds. */
export interface Replayed {
  /** The version of flagdouble that wrote it. */
  writtenBy: string
  states: readonly KeptState[]
  active: ReadonlyMap<string, readonly string[]>
  visits: ReadonlyMap<string, Visits>
  scenarios: readonly SavedScenario[]
  journal: { entries: readonly JournalEntry[]; lastId: number }
  /** Statistics and saved scenarios that can't be read, each with its line and the reason. */
  dropped: readonly string[]
  /** Bytes up to the end of the last line that counts. What follows was cut off, and never written. */
  end: number
  /** Bytes that the log would have if it held only the current snapshots. */
  current: number
}

/** What SDKs report. Whatever of it can't be read is dropped, so that everything else can be. */
const STATISTICS = ['clientMetrics', 'clientInstances', 'unknownFlags', 'impactMetrics']

/** A line that can't be used, counted from 1. */
export class LineError extends Error {
  constructor(line: number, reason: string) {
    super(`line ${line} ${reason}`)
  }
}

const NEWLINE = 10

/** Levels by which data may stand deeper in a line than in a state. */
const LINE_LEVELS = 8

/** What the header of a log says, or undefined if these bytes are something else. */
export function readHeader(bytes: Uint8Array): GivenHeader | undefined {
  const end = bytes.indexOf(NEWLINE)
  if (end === -1 || end > 1000) return undefined
  try {
    const header: unknown = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)))
    return isHeader(header) ? header : undefined
  } catch {
    return undefined
  }
}

type GivenHeader = Pick<Header, 'flagdouble'> & Readonly<Record<string, unknown>>

function isHeader(given: unknown): given is GivenHeader {
  return isObject(given) && given.flagdouble === 'state'
}

/**
 * Reads a log line by line. Records of this version must have its shape; those of another one are converted, as given
 * state is. Throws a `LineError`, or a `MockError` for a state that can't be converted.
 */
export function replay(bytes: Uint8Array, { format, version: writtenBy }: GivenHeader): Replayed {
  if (typeof format !== 'number' || typeof writtenBy !== 'string') {
    throw new LineError(1, 'must name the "format" of the file and the "version" of flagdouble that wrote it')
  }
  if (format !== FORMAT) {
    throw new LineError(1, `has the format ${format}, which is not known here. It is of flagdouble ${writtenBy}`)
  }
  const replaying = new Replaying(writtenBy === version)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let start = bytes.indexOf(NEWLINE) + 1
  let end = start
  for (let number = 2; ; number++) {
    const next = bytes.indexOf(NEWLINE, start)
    if (next === -1) break
    try {
      const isComplete = replaying.apply(
        JSON.parse(decoder.decode(bytes.subarray(start, next))),
        number,
        next + 1 - start,
      )
      if (isComplete) end = next + 1
    } catch (error) {
      throw new LineError(number, `can't be read: ${reasonOf(error)}`)
    }
    start = next + 1
  }
  return { ...replaying.result(writtenBy), writtenBy, end }
}

type RecordsByTable = Map<string, Map<Key, object>>

interface ReadState extends Omit<KeptState, 'data'> {
  records: RecordsByTable
  /** Bytes of its snapshot. */
  bytes: number
}

type Placed = readonly [table: string, record: object]

class Replaying {
  readonly #isChecked: boolean
  readonly #states = new Map<number, ReadState>()
  readonly #active = new Map<string, readonly string[]>()
  readonly #visits = new Map<string, Visits>()
  readonly #scenarios = new Map<string, SavedScenario>()
  /** The line of each record, for messages. */
  readonly #lines = new WeakMap<object, number>()
  #entries: JournalEntry[] = []
  #lastId = 0
  /** A snapshot whose end hasn't come yet. */
  #begun: ReadState | undefined
  /** The first lines of a commit whose last one hasn't come yet. */
  #staged: { of: number; remove: Record<string, Key[]>; put: Placed[]; next: Record<string, [Key, Key][]> }[] = []
  readonly #dropped: string[] = []

  constructor(isChecked: boolean) {
    this.#isChecked = isChecked
  }

  /** Returns whether the log may end after this line. */
  apply(given: unknown, number: number, bytes: number): boolean {
    const line = checkedLine(given)
    const isInSnapshot = 'in' in line || 'end' in line
    if (this.#begun !== undefined && !isInSnapshot) throw new Error('the snapshot before it has no end')
    const [staged] = this.#staged
    if (staged && !('change' in line && line.change === staged.of)) throw new Error('the commit before it has no end')
    if ('in' in line) {
      const begun = this.#unfinished(line.in)
      if (this.#isUsable(line.table, line.record, number)) put(begun.records, line.table, line.record)
      begun.bytes += bytes
    } else if ('begin' in line) {
      const { begin: id, session, scenario } = line
      this.#begun = { id, session, scenario, position: undefined, records: new Map(), bytes }
    } else if ('end' in line) {
      this.#states.set(line.end, this.#unfinished(line.end))
      this.#begun = undefined
    } else if ('change' in line) this.#change(line, number)
    else if ('saved' in line) this.#save(line, number)
    else if ('start' in line) this.#goOn(line.start, line, number)
    else if ('step' in line) this.#goOn(line.step, line, number)
    else if ('at' in line) this.#goOn(line.at, line, number)
    else this.#note(line)
    return this.#begun === undefined && this.#staged.length === 0
  }

  result(writtenBy: string): Omit<Replayed, 'end' | 'writtenBy'> {
    const states = [...this.#states.values()].map(({ records, bytes: _, ...state }) => ({
      ...state,
      data: this.#dataOf(records, state, writtenBy),
    }))
    const current = [...this.#states.values()].reduce((sum, { bytes }) => sum + bytes, 0)
    const journal = { entries: this.#entries, lastId: this.#lastId }
    const scenarios = [...this.#scenarios.values()]
    const [active, visits] = [this.#active, this.#visits]
    return { states, active, visits, scenarios, journal, current, dropped: this.#dropped }
  }

  #save({ saved, by }: LineOf<'saved'>, number: number): void {
    try {
      const scenario = parseScenario(saved, 'The scenario')
      this.#scenarios.set(scenario.name, { scenario, session: by })
    } catch (error) {
      this.#dropped.push(`line ${number}: ${reasonOf(error)}`)
    }
  }

  /** A history that can't be read is dropped. */
  #goOn(of: number, line: HistoryLine, number: number): void {
    const state = this.#state(of)
    try {
      if (!this.#isChecked) throw new Error('another version of flagdouble wrote it')
      if ('step' in line) for (const [table, record] of recordsOfStep(line)) this.#check(table, record)
      state.history = afterLine(state.history, line)
    } catch (error) {
      if (state.history !== undefined || 'start' in line)
        this.#dropped.push(`line ${number}: the history: ${reasonOf(error)}`)
      state.history = undefined
    }
  }

  #note(line: Exclude<Line, HistoryLine | LineOf<'in' | 'begin' | 'end' | 'change' | 'saved'>>): void {
    if ('drop' in line) this.#states.delete(line.drop)
    else if ('unsaved' in line) this.#scenarios.delete(line.unsaved)
    else if ('position' in line) this.#state(line.of).position = line.position
    else if ('forget' in line) {
      this.#active.delete(line.forget)
      this.#visits.delete(line.forget)
      for (const [id, { session }] of this.#states) if (session === line.forget) this.#states.delete(id)
    } else if ('entry' in line) {
      this.#entries.push(line.entry)
      this.#lastId = line.entry.id
    } else if ('emptied' in line) {
      this.#entries = []
      this.#lastId = line.emptied
    } else if ('visits' in line) this.#visits.set(line.visits, { back: line.back, forth: line.forth })
    else if (line.active === null) this.#active.delete(line.session)
    else this.#active.set(line.session, line.active)
  }

  /** A commit that was cut off must not be applied in part. */
  #change({ change: of, remove = {}, put: records = {}, next = {}, more }: LineOf<'change'>, number: number): void {
    const state = this.#state(of)
    const placed = Object.entries(records).flatMap(([table, list]) => list.map((record): Placed => [table, record]))
    const usable = placed.filter(([table, record]) => this.#isUsable(table, record, number))
    this.#staged.push({ of, remove, put: usable, next })
    if (more) return
    for (const line of this.#staged) {
      for (const [table, keys] of Object.entries(line.remove)) {
        for (const key of keys) state.records.get(table)?.delete(key)
      }
      for (const [table, record] of line.put) put(state.records, table, record)
    }
    for (const { next } of this.#staged) {
      for (const [table, places] of Object.entries(next)) moveInFront(state.records.get(table) ?? new Map(), places)
    }
    this.#staged = []
  }

  /** Whether a record can be used, as far as that is known before it is converted. Throws for one that must be. */
  #isUsable(table: string, record: object, line: number): boolean {
    this.#lines.set(record, line)
    try {
      this.#check(table, record)
      return true
    } catch (error) {
      if (!STATISTICS.includes(table)) throw error
      this.#dropped.push(`line ${line}: ${reasonOf(error)}`)
      return false
    }
  }

  /** Throws for a record of this version that doesn't have its shape. */
  #check(table: string, record: object): void {
    if (!Object.hasOwn(tables, table)) throw new Error(`there is no table "${table}"`)
    if (!this.#isChecked) return
    const { record: schema }: AnyTableDefinition = tables[table as TableName]
    const checked = checkGiven(schema, record)
    if (!checked.ok) throw new Error(`in a record of "${table}", ${faultIn(checked.faults)}`)
  }

  #state(id: number): ReadState {
    const state = this.#states.get(id)
    if (state === undefined) throw new Error(`there is no state ${id}`)
    return state
  }

  #unfinished(id: number): ReadState {
    if (this.#begun?.id !== id) throw new Error(`there is no snapshot of ${id} here`)
    return this.#begun
  }

  #dataOf(
    records: RecordsByTable,
    { session, scenario }: Pick<KeptState, 'session' | 'scenario'>,
    writtenBy: string,
  ): WorldData {
    const events = [...(records.get('events') ?? [])].toSorted(([one], [other]) => Number(one) - Number(other))
    records.set('events', new Map(events.slice(-EVENTS_KEPT)))
    if (this.#isChecked) return dataOf(records)
    const source = `The scenario "${scenario}" of the session "${session}", saved by flagdouble ${writtenBy},`
    return this.#converted(records, source)
  }

  #converted(records: RecordsByTable, source: string): WorldData {
    try {
      return converted(dataOf(records), source)
    } catch (error) {
      if (!(error instanceof MockError)) throw error
      const located = error.faults.map(({ path, message }) => {
        const [, table = '', at] = /^\$\.(\w+)\[(\d+)\]/.exec(path) ?? []
        const [key, record] = [...(records.get(table) ?? [])][Number(at)] ?? []
        const line = record && this.#lines.get(record)
        return { table, key, path, message: line === undefined ? message : `${message} (line ${line})` }
      })
      const isAboutStatistics = located.every(({ table, key }) => key !== undefined && STATISTICS.includes(table))
      if (located.length === 0 || !isAboutStatistics)
        throw new MockError(error.code, error.problem, error.hint, located)
      for (const { table, key, path, message } of located) {
        if (key !== undefined && records.get(table)?.delete(key)) this.#dropped.push(`${path}: ${message}`)
      }
      return this.#converted(records, source)
    }
  }
}

function put(records: RecordsByTable, table: string, record: object): void {
  const { key }: AnyTableDefinition = tables[table as TableName]
  const ofTable = records.get(table) ?? new Map<Key, object>()
  records.set(table, ofTable.set(key(record), record))
}

function checkedLine(given: unknown): Line {
  const kind = isObject(given) ? Object.keys(lineSchemas).find((name) => Object.hasOwn(given, name)) : undefined
  if (kind === undefined) throw new Error('there is no such kind of line')
  const schema: z.ZodType = lineSchemas[kind as keyof typeof lineSchemas]
  const checked = checkGiven(schema, given, DEEPEST + LINE_LEVELS)
  if (!checked.ok) throw new Error(faultIn(checked.faults))
  return given as Line
}

function faultIn([fault]: readonly { path: string; message: string }[]): string {
  return fault === undefined ? 'it has another shape' : `${fault.path} ${fault.message}`
}
