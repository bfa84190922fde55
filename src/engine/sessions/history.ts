import { show } from '../../support/json.js'
import { faultOf, MockError } from '../errors/mock-errors.js'
import type { HistoryEntry, RecordChange, Step, Timeline } from './timeline.js'
import type { World } from './world.js'
import type { Worlds } from './worlds.js'

/** The way through the history of a session, which can lead to other scenarios. */
export class History {
  readonly #timeline: Timeline
  readonly #worlds: Worlds
  readonly #onMove: () => void

  constructor(timeline: Timeline, worlds: Worlds, onMove: () => void) {
    this.#timeline = timeline
    this.#worlds = worlds
    this.#onMove = onMove
  }

  /** The entries of a world, oldest first. */
  list(world: World): HistoryEntry[] {
    return this.#timeline.list(world)
  }

  /**
   * Undoes (-1) or redoes (1) a step of a world, or a switch that leads away from it. Returns the current entry; undefined
   * if there was nothing to undo or redo.
   */
  step(world: World, by: -1 | 1): HistoryEntry | undefined {
    const leadsAway = (step: Step) => this.#worlds.isIn([world.name]) && this.#targetOf(step, by) !== undefined
    const step = this.#timeline.next(world, by, leadsAway)
    if (step === undefined) return undefined
    this.#move(step, by)
    const entered = this.#worlds.get(this.#worlds.current) ?? world
    return this.list(entered).find(({ current }) => current)
  }

  /** Goes to a history entry of any world. Throws `UNKNOWN_COMMIT`. */
  goTo(id: number): void {
    const world = this.#worldAt(id)
    for (let by = this.#timeline.directionTo(world, id); by !== undefined; by = this.#timeline.directionTo(world, id)) {
      const step = this.#timeline.next(world, by)
      if (step !== undefined) this.#move(step, by)
    }
  }

  /** The changes of an entry's step. Throws `UNKNOWN_COMMIT`. */
  changesAt(id: number | string): RecordChange[] {
    return this.#timeline.changesAt(this.#worldAt(id), id)
  }

  #move(step: Step, by: -1 | 1): void {
    const target = this.#targetOf(step, by)
    this.#timeline.move(step, by)
    this.#worlds.current = target ?? this.#worlds.current
    this.#onMove()
  }

  /** The scenarios to which undoing (-1) or redoing (1) a step switches. Undefined if the session stays. */
  #targetOf({ switched }: Step, by: -1 | 1): readonly string[] | undefined {
    if (switched === undefined) return undefined
    const [here, target] = by === -1 ? [switched.to, switched.from] : [switched.from, switched.to]
    return this.#worlds.isIn(here) && faultOf(() => this.#worlds.use(target)) === undefined ? target : undefined
  }

  /** The world of an entry. Throws `UNKNOWN_COMMIT`. */
  #worldAt(id: number | string): World {
    const current = this.#worlds.get(this.#worlds.current)
    const worlds = [...(current ? [current] : []), ...this.#worlds.all.values()]
    const world = worlds.find((one) => this.#timeline.has(one, id))
    if (world !== undefined) return world
    throw new MockError(
      'UNKNOWN_COMMIT',
      `The history has no entry with the id ${show(id)}.`,
      'GET /__mock/history, or mock.history.list(), lists the current entries.',
    )
  }
}
