import { MockError } from '../errors/mock-errors.js'
import type { Composition } from '../scenarios/catalogue.js'
import type { Keeper } from './keeper.js'
import type { Logins } from './logins.js'
import type { Cause } from './steps.js'
import type { Timeline } from './timeline.js'
import { type KeptWorld, World, type WorldOptions } from './world.js'

/** The maximum worlds in a session. It drops the least recently used first, but never the current one. */
export const WORLDS_KEPT = 32

interface WorldsOptions extends WorldOptions {
  keeper?: Keeper | undefined
}

/** The session of the worlds. */
interface WorldsOwner {
  readonly logins: Logins
  readonly timeline: Timeline
  readonly switchedTo: readonly string[]
  /** Called after each change of a world. */
  changed(): void
}

/** The worlds of a session, by the names of their scenarios. */
export class Worlds {
  readonly #options: WorldsOptions
  readonly #owner: WorldsOwner
  /** The least recently used first. */
  readonly #open = new Map<string, World>()
  /** Saved worlds whose scenarios can't start now. They can come back. */
  readonly #dormant = new Map<string, KeptWorld>()
  #newest: World | undefined

  constructor(options: WorldsOptions, owner: WorldsOwner) {
    this.#options = options
    this.#owner = owner
  }

  /** The least recently used first. */
  get all(): ReadonlyMap<string, World> {
    return this.#open
  }

  get(names: readonly string[]): World | undefined {
    return this.#open.get(names.join(','))
  }

  /** The world of some scenarios, which is then the most recently used one. Opens it, perhaps with its saved state. */
  use(names: readonly string[], compose: () => Composition): World {
    const name = names.join(',')
    const world = this.#open.get(name) ?? this.open(compose(), this.#dormant.get(name))
    if (world === this.#newest) return world
    this.#newest = world
    this.#open.delete(world.name)
    this.#open.set(world.name, world)
    return world
  }

  /** Opens a world, with or without saved state. */
  open(composition: Composition, kept?: KeptWorld): World {
    const { logins, timeline } = this.#owner
    const world = new World(composition, this.#options, {
      kept,
      logins,
      onStep: (cause, changed, change) => {
        timeline.add(cause, changed, change)
        // A commit notifies listeners itself, once it is made.
        if (change.commit === undefined) this.#owner.changed()
      },
    })
    world.data.onCommit(() => this.#owner.changed())
    timeline.open(world)
    this.#open.set(world.name, world)
    this.#dormant.delete(world.name)
    this.#dropUnused(world.name)
    return world
  }

  /** Restarts the world of a composition, or opens it. A keeper can preserve its data. */
  restart(composition: Composition, cause: Cause): void {
    const name = composition.names.join(',')
    const running = this.#open.get(name)
    const stays = this.#options.keeper?.outlivesRestarts === true
    if (running === undefined) this.open(composition, stays ? this.#dormant.get(name) : undefined)
    else if (stays && running.loading === undefined) running.restartSettings(composition, cause)
    else running.startAgain(composition, cause)
  }

  /** Restarts all worlds, as one step; below their own changes if files changed. Drops those that can't start any more. */
  restartAll(compose: (names: readonly string[]) => Composition, cause: Cause, files?: string): void {
    for (const world of [...this.#open.values()]) {
      try {
        const composition = compose(world.composition.names)
        if (files !== undefined && world.origin.isTouched) world.startBelowChanges(composition, cause, files)
        else world.startAgain(composition, cause)
      } catch (error) {
        if (!(error instanceof MockError)) throw error
        this.drop(world.name)
      }
    }
  }

  drop(name: string): void {
    const world = this.#open.get(name)
    if (world === undefined) return
    this.#owner.timeline.drop(world)
    if (world === this.#newest) this.#newest = undefined
    this.#open.delete(name)
  }

  /** The changed worlds, to be saved. */
  changed(): Map<string, KeptWorld> {
    const changed = new Map(this.#dormant)
    for (const [name, world] of this.#open) {
      const { isSet, data, origin } = world
      const { madeFrom, isChanged, isTouched } = origin
      if (isChanged) changed.set(name, { data, position: world.position(), madeFrom, isUntouched: !isTouched })
      else if (isSet) changed.set(name, { position: world.position() })
    }
    return changed
  }

  /** Replaces all worlds by saved ones. */
  adopt(worlds: ReadonlyMap<string, KeptWorld>, compose: (names: readonly string[]) => Composition): void {
    for (const name of [...this.#open.keys()]) this.drop(name)
    for (const [name, kept] of worlds) {
      try {
        this.open(compose(name.split(',')), kept)
      } catch (error) {
        if (!(error instanceof MockError)) throw error
        this.#dormant.set(name, kept)
      }
    }
  }

  /** Forgets the saved worlds that can't start. */
  forgetDormant(): void {
    this.#dormant.clear()
  }

  /** Drops worlds beyond the limit: the least recently used first and, if they are saved, changed worlds last. */
  #dropUnused(newest: string): void {
    const { switchedTo, timeline } = this.#owner
    const used = [newest, ...[switchedTo, ...timeline.lastSwitches].map((names) => names.join(','))]
    while (this.#open.size > WORLDS_KEPT) {
      const unused = [...this.#open.values()].filter(({ name }) => !used.includes(name))
      const isKept = this.#options.keeper !== undefined
      const oldest = (isKept ? unused.find(({ origin }) => !origin.isChanged) : undefined) ?? unused[0]
      if (oldest === undefined) return
      this.drop(oldest.name)
    }
  }
}
