import type { Commit } from '../../service/store/table.js'
import type { ScenarioKeeper } from '../scenarios/saved-scenarios.js'
import type { Visits } from './steps.js'
import type { KeptWorld, World } from './world.js'

/**
 * Keeps what was changed in sessions: their data, one state per scenario, their active scenarios, and those they saved.
 */
export interface Keeper extends ScenarioKeeper {
  /** Whether worlds that are restarted resume their data, so that only a reset discards it. */
  readonly outlivesRestarts: boolean
  /** The names of all sessions that something is kept of. */
  sessions(): string[]
  /** The scenarios that a session is switched to. Undefined if that is its default scenario. */
  activeScenarios(session: string): readonly string[] | undefined
  /** What is kept of a session, by the names of its worlds. */
  kept(session: string): ReadonlyMap<string, Pick<KeptWorld, 'data'>>
  /** What was kept of a world; from now on it is the caller's. */
  resume(session: string, scenario: string): KeptWorld | undefined
  /** Where undo and redo lead right after a switch. */
  visits(session: string): Visits
  /** The highest id in the histories that are kept of a session, or -1. */
  lastMoment(session: string): number
  /** Called before a change of a world's data becomes visible. If it throws, there is no change. */
  committing(session: string, world: World, commit: Commit): void
  /** Keeps a world as it is now, if it isn't kept so yet. */
  keep(session: string, world: World): void
  /** Discards what is kept of a world. */
  drop(session: string, scenario: string): void
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
