import type { Replacement } from '../../service/store/database.js'
import type { Commit } from '../../service/store/table.js'
import type { ClockPosition } from '../../support/clock.js'
import type { Composition } from '../scenarios/catalogue.js'
import type { RulesPosition } from '../scenarios/force-rules.js'
import type { Origin } from './origin.js'

/** The position of a world besides its data, as plain JSON. */
export interface WorldPosition {
  clock: ClockPosition
  ids?: readonly number[] | undefined
  rules: RulesPosition
}

/** The changes of a step besides data. */
export interface Setting extends Partial<WorldPosition> {
  composition?: Composition
  origin?: Origin
  /** Whether the data has changes since its start (`Origin.isTouched`). */
  isTouched?: boolean
}

/** The cause of a commit: a request for an operation, or a change to the mock. */
export interface Cause {
  readonly what: string
  /** A sentence without its full stop. The sentence for a request comes from its events. */
  readonly title: string
  /** The parameters of the path, if it is a request. */
  readonly params?: Readonly<Record<string, string>>
  /** The ID of its step. Undefined before the step. */
  commit?: number
  /** The ID of the request in the journal, if a request made it. */
  requestId?: number
}

/** The changes of a world: records, settings, or both. */
export interface WorldChange {
  readonly commit?: Commit | Replacement | undefined
  readonly from?: Setting | undefined
  readonly to?: Setting | undefined
  /** A title that tells more than the cause's. */
  readonly title?: string | undefined
}
