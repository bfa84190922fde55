import type { Replacement } from '../../service/store/database.js'
import type { Commit } from '../../service/store/table.js'
import type { ClockPosition } from '../../support/clock.js'
import type { Composition } from '../scenarios/catalogue.js'
import type { RulesPosition } from '../scenarios/force-rules.js'
import type { Changes } from '../state/changes.js'
import type { Sleeping } from '../state/put-on.js'
import type { WorldData } from '../state/state.js'

/** The position of a world besides its data, as plain JSON. */
export interface WorldPosition {
  clock: ClockPosition
  ids?: readonly number[] | undefined
  rules: RulesPosition
}

/** The saved state of a world: its start, and what differs from it. Without a position, its clock, IDs and rules start over. */
export interface SavedWorld {
  /** The real time of its start, in milliseconds since 1970. Default: now. */
  startedAt?: number | undefined
  /** Undefined if its records are those of the start. */
  changes?: Changes | undefined
  /** The data of a snapshot, in place of changes. */
  data?: WorldData | undefined
  position?: WorldPosition | undefined
}

/** The changes of a step besides data. */
export interface Setting extends Partial<WorldPosition> {
  composition?: Composition
  /** Whether the data has changes of steps since its start. */
  hasUserChanges?: boolean
  /** Its changes that don't fit the start. Null if all do. */
  asleep?: Sleeping | null
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

/** The changes of a world: records, settings, or both; or another beginning. */
export interface WorldChange {
  readonly commit?: Commit | Replacement | undefined
  /** The states between which a step led that began the world again. */
  readonly began?: { readonly from: SavedWorld; readonly to: SavedWorld } | undefined
  readonly from?: Setting | undefined
  readonly to?: Setting | undefined
  /** A title that tells more than the cause's. */
  readonly title?: string | undefined
}
