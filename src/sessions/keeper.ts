import type { EventRecord } from '../resources/instance/events/schema.js'
import type { WorldData } from '../state/state.js'
import type { Commit } from '../store/commit.js'
import type { World } from './world.js'

/**
 * Keeps what was changed in sessions: their data, one state per scenario, and their active scenarios. Worlds that start
 * again resume their data; only a reset discards it.
 */
export interface Keeper {
  /** The names of all sessions that something is kept of. */
  sessions(): string[]
  /** The scenarios that a session is switched to. Undefined if that is its default scenario. */
  activeScenarios(session: string): readonly string[] | undefined
  /** The data of a world that was changed earlier; from now on it is the caller's. */
  resume(session: string, scenario: string): WorldData | undefined
  /** Called after each change of a world's data. */
  committed(session: string, world: World, commit: Commit<EventRecord>): void
  /** Called when a session switches to other scenarios, or (undefined) to its default scenario. */
  switched(session: string, names: readonly string[] | undefined): void
  /** Discards everything that is kept of a session. */
  forget(session: string): void
  /**
   * Settles when all changes so far are on disk. Undefined if they are, or if nobody needs to wait for that. Rejects with
   * a `MockError` if they can't be written.
   */
  durable(): Promise<void> | undefined
}
