import type { Selection } from '../scenarios/selection.js'
import type { WorldData } from '../state/state.js'
import type { SavedLogin } from './logins.js'
import type { Start } from './start.js'
import type { WorldPosition } from './steps.js'

/** Saves the sessions of a mock beyond its process. */
export interface Keeper {
  /** Whether a switch preserves the data of the world that it restarts, so that only a reset discards it. */
  readonly outlivesRestarts: boolean
  /** Called after any change of a session. It is fast, so calling it too often is fine. */
  changed(): void
  /**
   * Settles when all changes so far are on disk. Undefined if nothing is pending, or if nobody needs to wait. Rejects
   * with a `MockError` if writing fails.
   */
  durable(): Promise<void> | undefined
}

/** The saved state of a session. */
export interface SavedSession {
  /** Undefined for its default scenario. */
  selection?: Selection | undefined
  worlds: ReadonlyMap<string, SavedWorld>
  logins: readonly SavedLogin[]
}

/** The saved state of a world. Without a position, its clock, IDs and rules start over. */
export interface SavedWorld {
  /** Undefined if it is unchanged since its start. */
  data?: WorldData | undefined
  position?: WorldPosition | undefined
  /** The hash of the sources of its data. */
  madeFrom?: Start['hash'] | undefined
  /** Whether only reports have changed the data, such as metrics. */
  isUntouched?: boolean | undefined
}
