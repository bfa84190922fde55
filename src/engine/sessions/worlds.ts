import { faultOf } from '../errors/mock-errors.js'
import type { Catalogue, Composition } from '../scenarios/catalogue.js'
import { namesOf, onTop, type Selection } from '../scenarios/selection.js'
import type { History } from './history.js'
import type { Keeper, SavedWorld } from './keeper.js'
import type { Logins } from './logins.js'
import type { WorldOptions } from './start.js'
import type { Cause } from './steps.js'
import { World } from './world.js'

/** The maximum worlds in a session. It drops the least recently used first, but never the current one. */
export const WORLDS_KEPT = 32

interface WorldsOptions extends WorldOptions {
  defaultSelection: Selection
  keeper?: Keeper | undefined
}

/** The session of the worlds. */
interface WorldsOwner {
  readonly catalogue: Catalogue
  readonly logins: Logins
  readonly history: History
  /** Called after each change of a world. */
  changed(): void
}

/** The worlds of a session, by the names of their scenarios. One of them is current. */
export class Worlds {
  /** The current scenarios, and the states of flags that the session's SDKs are told. */
  current: Selection
  /** The reason why they are the default scenarios, if others can't start any more. */
  fallback: string | undefined
  readonly #options: WorldsOptions
  readonly #owner: WorldsOwner
  /** The least recently used first. */
  readonly #open = new Map<string, World>()
  /** Saved worlds whose scenarios can't start now. They can come back. */
  readonly #dormant = new Map<string, SavedWorld>()
  #newest: World | undefined

  constructor(options: WorldsOptions, owner: WorldsOwner) {
    this.#options = options
    this.#owner = owner
    this.current = options.defaultSelection
  }

  /** The least recently used first. */
  get all(): ReadonlyMap<string, World> {
    return this.#open
  }

  get(names: readonly string[]): World | undefined {
    return this.#open.get(names.join(','))
  }

  /** The world of the current scenarios, if it is open. */
  get open(): World | undefined {
    return this.get(this.current.scenarios)
  }

  isIn(selection: Selection): boolean {
    return namesOf(selection).join() === namesOf(this.current).join()
  }

  /** The world of some scenarios, which is then the most recently used one. Opens it, perhaps with its saved state. */
  use(names: readonly string[]): World {
    const name = names.join(',')
    const world = this.#open.get(name) ?? this.#start(this.#compose(names), this.#dormant.get(name))
    if (world === this.#newest) return world
    this.#newest = world
    this.#open.delete(world.name)
    this.#open.set(world.name, world)
    return world
  }

  /** Makes a selection the current one, as part of the step of a cause. */
  enter(selection: Selection, cause: Cause): void {
    if (this.isIn(selection)) return
    this.use(selection.scenarios)
    this.#owner.history.addSwitch(cause, { from: this.current, to: selection })
    this.current = selection
  }

  /** Makes a selection the current one again, if its scenarios can still start. */
  go(selection: Selection): void {
    if (faultOf(() => this.use(selection.scenarios)) === undefined) this.current = selection
  }

  /** The given scenarios, if they can start; otherwise the default scenarios, and `fallback` says why. */
  startable(names: readonly string[], start: (names: readonly string[]) => unknown = this.#compose): readonly string[] {
    const { scenarios } = this.#options.defaultSelection
    const fault = faultOf(() => start(names))
    this.fallback = fault && `"${names}" can't start any more, so this session is in "${scenarios}": ${fault.problem}`
    return fault === undefined ? names : scenarios
  }

  /** Restarts the world of some scenarios, or opens it. A keeper can preserve its data. */
  restart(names: readonly string[], cause: Cause): void {
    const composition = this.#compose(names)
    const running = this.get(names)
    const stays = this.#options.keeper?.outlivesRestarts === true
    if (running === undefined) this.#start(composition, stays ? this.#dormant.get(names.join(',')) : undefined)
    else if (stays && running.loading === undefined) running.restartSettings(composition, cause)
    else running.startAgain(composition, cause)
    this.use(names)
  }

  /** Restarts all worlds, as one step; below their own changes if files changed. Drops those that can't start any more. */
  restartAll(cause: Cause, files?: string): void {
    for (const world of [...this.#open.values()]) {
      const fault = faultOf(() => {
        const composition = this.#compose(world.composition.names)
        if (files !== undefined && world.origin.isTouched) world.startBelowChanges(composition, cause, files)
        else world.startAgain(composition, cause)
      })
      if (fault !== undefined) this.drop(world.name)
    }
  }

  drop(name: string): void {
    const world = this.#open.get(name)
    if (world === undefined) return
    this.#owner.history.drop(world)
    if (world === this.#newest) this.#newest = undefined
    this.#open.delete(name)
  }

  /** The changed worlds, to be saved. */
  changed(): Map<string, SavedWorld> {
    const changed = new Map(this.#dormant)
    for (const [name, world] of this.#open) {
      const { isSet, data, origin } = world
      const { madeFrom, isChanged, isTouched } = origin
      if (isChanged) changed.set(name, { data, position: world.position(), madeFrom, isUntouched: !isTouched })
      else if (isSet) changed.set(name, { position: world.position() })
    }
    return changed
  }

  /** Replaces all worlds by saved ones. States alone are on top of the default scenarios. */
  adopt(worlds: ReadonlyMap<string, SavedWorld>, selection = this.#options.defaultSelection): void {
    for (const name of [...this.#open.keys()]) this.drop(name)
    for (const [name, saved] of worlds) {
      const fault = faultOf(() => this.#start(this.#compose(name.split(',')), saved))
      if (fault !== undefined) this.#dormant.set(name, saved)
    }
    const { scenarios } = onTop(this.#options.defaultSelection, selection)
    this.current = { scenarios: this.startable(scenarios), states: selection.states }
  }

  /** Forgets the saved worlds that can't start. */
  forgetDormant(): void {
    this.#dormant.clear()
  }

  readonly #compose = (names: readonly string[]): Composition => this.#owner.catalogue.compose(names)

  /** Opens a world, with or without saved state. */
  #start(composition: Composition, saved?: SavedWorld): World {
    const { logins } = this.#owner
    const world = new World(composition, this.#options, {
      saved,
      logins,
      onStep: (cause, changed, change) => {
        this.#owner.history.add(cause, changed, change)
        // A commit notifies listeners itself, once it is made.
        if (change.commit === undefined) this.#owner.changed()
      },
    })
    world.data.onCommit(() => this.#owner.changed())
    this.#owner.history.open(world)
    this.#open.set(world.name, world)
    this.#dormant.delete(world.name)
    this.#dropUnused(world.name)
    return world
  }

  /** Drops worlds beyond the limit: the least recently used first and, if they are saved, changed worlds last. */
  #dropUnused(newest: string): void {
    const used = [
      newest,
      ...[this.current.scenarios, ...this.#owner.history.lastSwitches].map((names) => names.join(',')),
    ]
    while (this.#open.size > WORLDS_KEPT) {
      const unused = [...this.#open.values()].filter(({ name }) => !used.includes(name))
      const isSaved = this.#options.keeper !== undefined
      const oldest = (isSaved ? unused.find(({ origin }) => !origin.isChanged) : undefined) ?? unused[0]
      if (oldest === undefined) return
      this.drop(oldest.name)
    }
  }
}
