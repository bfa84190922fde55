import type { Selection } from '../scenarios/selection.js'
import type { SavedLogin } from './logins.js'
import type { SavedWorld } from './steps.js'

/** Saves the sessions of a mock beyond its process. */
export interface Persistence {
  /** Whether a switch preserves the data of the world that it restarts, so that only a reset discards it. */
  readonly keepsDataOnSwitch: boolean
  /** Called after any change of a session. It is fast, so calling it too often is fine. */
  changed(): void
  /**
   * Settles when all changes so far are on disk. Undefined if nothing is pending, or if nobody needs to wait. Rejects
   * with a `MockError` if writing fails.
   */
  saved(): Promise<void> | undefined
}

/** The saved state of a session. */
export interface SavedSession {
  /** Undefined for its default scenario. */
  selection?: Selection | undefined
  worlds: ReadonlyMap<string, SavedWorld>
  logins: readonly SavedLogin[]
}
