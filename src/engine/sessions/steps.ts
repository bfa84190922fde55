import type { Commit } from '../../service/store/table.js'
import type { ClockPosition } from '../../support/clock.js'
import type { RulesPosition } from '../scenarios/force-rules.js'
import type { Start } from './start.js'

/** Where a world stands besides its data, as plain JSON. */
export interface WorldPosition {
  clock: ClockPosition
  ids?: readonly number[] | undefined
  rules: RulesPosition
}

/** What a step changes besides data. */
export interface Setting extends Partial<WorldPosition> {
  /** What the world started with. */
  start?: Start
  isTouched?: boolean
  madeFrom?: Start['hash']
}

/** What makes a commit: a request for an operation, or something that was done to the mock. */
export interface Cause {
  readonly what: string
  /** What was done, as a sentence without its full stop. Of a request it is told by the events that it logs. */
  readonly title: string
  /** The parameters of the path, if it is a request. */
  readonly params?: Readonly<Record<string, string>>
  /** The id of the step that it made. Undefined until it has made one. */
  commit?: number
  /** How many undone steps that one took the place of. */
  ended?: number
  /** The id of the request in the journal, if it is one. */
  requestId?: number
}

/** When something was done, and what. */
export interface Moment {
  readonly id: number
  readonly time: number
  readonly cause: Cause
}

/** What a step changes: records, settings, or both. */
export interface StepChange {
  commit?: Commit
  from?: Setting
  to?: Setting
}

/** Where undo or redo leads right after a switch: to the scenarios that were left, whose world is as it is. */
export interface Visit {
  names: readonly string[]
  /** The moment of the world switched to at which it does. */
  at: number
  /** What made the switch, where that is a step of worlds as well. */
  cause?: Cause | undefined
}
