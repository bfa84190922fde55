import type { Commit } from '../../service/store/table.js'
import type { ClockPosition } from '../../support/clock.js'
import type { RulesPosition } from '../scenarios/force-rules.js'

/** Where a world stands besides its data, as plain JSON. */
export interface WorldPosition {
  clock: ClockPosition
  ids?: readonly number[] | undefined
  rules: RulesPosition
}

export type Setting = Partial<WorldPosition>

/** What makes a commit: a request for an operation, or something that was done to the mock. */
export interface Cause {
  readonly what: string
  /** What was done, as a sentence without its full stop. Of a request it is told by the events that it logs. */
  readonly title: string
  /** The parameters of the path, if it is a request. */
  readonly params?: Readonly<Record<string, string>>
  /** The id of the commit that it made. Undefined until it has made one. */
  commit?: number
  /** The id of the request in the journal, if it is one. */
  requestId?: number
}

/** When something was done, and what. */
export interface Moment {
  readonly id: number
  readonly time: number
  readonly cause: Cause
}

/** A change of data. Logins are not part of it: they are about people, so no step back signs anybody in or out. */
export interface DataChange {
  commit: Commit
}

/** A move of the clock, or a change of the rules: where they stood before, and afterwards. */
export interface SettingChange {
  from: Setting
  to: Setting
}

/** A step that can be kept: one that changed something in a world, and no step from one world to another. */
export type KeptStep = Moment & (DataChange | SettingChange)

/** What is kept of a history. */
export interface KeptHistory {
  start: Moment
  steps: readonly KeptStep[]
  /** How many of the steps are done, and not undone. */
  at: number
}

/** Where undo or redo leads right after a switch: to the scenarios that were left, whose world is as it is. */
export interface Visit {
  names: readonly string[]
  /** The moment of the world switched to at which it does. */
  at: number
  /** What made the switch, where that is a step of worlds as well. */
  cause?: Cause | undefined
}

/** Where undo leads right after a switch, and where redo does. */
export interface Visits {
  back?: Visit | undefined
  forth?: Visit | undefined
}
