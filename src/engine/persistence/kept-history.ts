import type { Change } from '../../service/store/table.js'
import { deepFreeze } from '../../support/freeze.js'
import { STEPS_KEPT } from '../sessions/history.js'
import type { KeptHistory, KeptStep, Moment } from '../sessions/steps.js'
import type { HistoryLine, Line, LineOf } from './format.js'

/** The lines that tell how the history of a state has gone on since it was logged. */
export function historyLines(of: number, history: KeptHistory, logged: KeptHistory | undefined): Line[] {
  const known = logged && from(history.start.id, logged)
  if (known === undefined) return wholeHistory(of, history)
  if (isSame(known.steps, history.steps)) return known.at === history.at ? [] : [atLine(of, history)]
  const isLonger = isSame(known.steps.slice(0, known.at), history.steps.slice(0, known.at))
  if (!isLonger || history.at !== history.steps.length) return wholeHistory(of, history)
  return history.steps.slice(known.at).map((step) => stepLine(of, step))
}

/** What a history is after one of its lines. */
export function afterLine(history: KeptHistory | undefined, line: HistoryLine): KeptHistory | undefined {
  if ('start' in line) return { start: line.moment, steps: [], at: 0 }
  if (history === undefined) return undefined
  if ('at' in line) return { ...history, at: 1 + history.steps.findIndex(({ id }) => id === line.moment) }
  const steps = [...history.steps.slice(0, history.at), stepIn(line)]
  const dropped = steps.length > STEPS_KEPT ? steps.shift() : undefined
  return { start: dropped ?? history.start, steps, at: steps.length }
}

/** The records before and after a step. */
export function recordsOfStep({ changes = {} }: LineOf<'step'>): [table: string, record: object][] {
  const records = (list: readonly Change[]) => list.flatMap(({ before, after }) => [before, after])
  return Object.entries(changes).flatMap(([table, list]) =>
    records(list).flatMap((record) => (record === undefined ? [] : [[table, record] as [string, object]])),
  )
}

/** The part of a history from one of its moments on. Undefined if it has none with this id. */
function from(id: number, { start, steps, at }: KeptHistory): KeptHistory | undefined {
  if (start.id === id) return { start, steps, at }
  const first = steps.findIndex((step) => step.id === id)
  const moment = steps[first]
  return moment && first < at ? { start: moment, steps: steps.slice(first + 1), at: at - first - 1 } : undefined
}

function isSame(some: readonly Moment[], others: readonly Moment[]): boolean {
  return some.length === others.length && some.every(({ id }, at) => id === others[at]?.id)
}

function wholeHistory(of: number, history: KeptHistory): Line[] {
  const { start, steps, at } = history
  const lines: Line[] = [{ start: of, moment: momentOf(start) }, ...steps.map((step) => stepLine(of, step))]
  return at === steps.length ? lines : [...lines, atLine(of, history)]
}

function atLine(of: number, { start, steps, at }: KeptHistory): Line {
  return { at: of, moment: (steps[at - 1] ?? start).id }
}

function stepLine(of: number, step: KeptStep): Line {
  const moment = momentOf(step)
  if ('to' in step) return { step: of, moment, from: step.from, to: step.to }
  const { changes, replacesAll } = step.commit
  return { step: of, moment, changes: Object.fromEntries(changes) as Record<string, Change[]>, replacesAll }
}

function stepIn({ moment, changes = {}, replacesAll = false, from, to }: LineOf<'step'>): KeptStep {
  if (from !== undefined && to !== undefined) return { ...moment, from, to }
  return { ...moment, commit: { changes: new Map(Object.entries(deepFreeze(changes))), replacesAll } }
}

/** The journal isn't kept, so nothing is said of the request. */
function momentOf({ id, time, cause: { what, title, params } }: Moment): Moment {
  return { id, time, cause: { what, title, ...(params === undefined ? {} : { params }), commit: id } }
}
