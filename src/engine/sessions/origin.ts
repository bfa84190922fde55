import type { Contents } from '../../service/store/database.js'
import type { Clock } from '../../support/clock.js'
import type { Ids } from '../../support/ids.js'
import { listFaults, sentence } from '../../support/text.js'
import { faultOf } from '../errors/mock-errors.js'
import { differenceOf } from '../state/difference.js'
import { loadState } from '../state/load-state.js'
import { WorldData } from '../state/state.js'
import { fileNameOf, type Generate, type Start } from './start.js'

/** The origin of a world's data. Undo and redo restore it. */
export interface Origin {
  /** The start that a restart would use. */
  readonly start: Start
  /** The records with which the world started. Undefined while they are generated, and for saved state. */
  readonly contents?: Contents | undefined
  /** The hash of the sources of the data: it differs from the start's if files have changed since. */
  readonly madeFrom: Start['hash']
  /** The reason why its changes don't fit the files of the start. */
  readonly misfit?: string | undefined
  /** Whether anything has changed since the world started, even by a report, such as metrics. */
  readonly isChanged: boolean
  /** Whether the data contains changes of steps since the world started. Undoing the first one resets it. */
  readonly isTouched: boolean
}

export function originOf(start: Start, contents: Contents | undefined): Origin {
  return { start, contents, madeFrom: start.hash, isChanged: false, isTouched: false }
}

/** The reason why data comes from other files than a start would use now. Undefined if it doesn't. */
export function whyOutdated({ start, madeFrom, misfit }: Origin): string | undefined {
  if (madeFrom() === start.hash()) return undefined
  const files = start.fixtures.flatMap((fixture) => fileNameOf(fixture) ?? [])
  const reason = misfit ?? `Your files${files.length > 0 ? ` (${files.join(', ')})` : ''} changed.`
  return `${reason} Your data stays until you start over.`
}

/** The data of a world, with the clock and the IDs that loading needs. */
interface ChangedData {
  readonly origin: Origin
  readonly data: WorldData
  readonly clock: Clock
  readonly ids: Ids
}

/**
 * The records of a start with a world's own changes, and their number, or the reason why these don't fit. Undefined if a
 * start is unknown, or both are the same.
 */
export function changesOn(
  start: Start,
  { origin, data, clock, ids }: ChangedData,
  generate: Generate,
): { contents: Contents; count: number } | { misfit: string } | undefined {
  if (origin.contents === undefined || origin.madeFrom() === start.hash()) return undefined
  const started = start.load(generate)
  if (started instanceof Promise) return undefined
  const changes = differenceOf(new WorldData(origin.contents), data, origin.start.time)
  const merged = new WorldData(started)
  const options = { now: clock.now(), ids, source: 'The difference', replacesAll: false }
  const fault = faultOf(() => loadState(merged, changes, options))
  if (fault !== undefined) return { misfit: sentence(`your changes don't fit: ${listFaults(fault.faults)}`) }
  const count = Object.values(changes).reduce((sum, ofKind) => sum + Object.keys(ofKind).length, 0)
  const events = data.contents().get('events')
  return { contents: new Map([...merged.contents(), ...(events ? [['events', events] as const] : [])]), count }
}
