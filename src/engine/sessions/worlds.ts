import { faultOf, MockError } from '../errors/mock-errors.js'
import type { Catalogue, Composition } from '../scenarios/catalogue.js'
import { namesOf, onTop, type Selection } from '../scenarios/selection.js'
import { changesTo, countOf } from '../state/changes.js'
import type { History } from './history.js'
import type { Logins } from './logins.js'
import type { Persistence } from './persistence.js'
import type { WorldOptions } from './start.js'
import type { Cause, SavedWorld } from './steps.js'
import { World } from './world.js'

/** The maximum worlds in a session. It drops the least recently used first, but never the current one. */
export const WORLDS_KEPT = 32

interface WorldsOptions extends WorldOptions {
  defaultSelection: Selection
  persistence?: Persistence | undefined
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
  /** The reason why the current scenarios are the default ones, if the chosen ones can't start. */
  fallback: string | undefined
  /** The scenarios to which the session returns when they can start. */
  #chosen: readonly string[]
  readonly #options: WorldsOptions
  readonly #owner: WorldsOwner
  /** The least recently used first. */
  readonly #open = new Map<string, World>()
  /** The saved state of worlds that haven't been used yet, or can't start now. */
  readonly #asleep = new Map<string, SavedWorld>()
  #newest: World | undefined
  /** The worlds whose generated data is awaited, in case it can't be loaded. */
  readonly #awaited = new WeakSet<World>()

  constructor(options: WorldsOptions, owner: WorldsOwner) {
    this.#options = options
    this.#owner = owner
    this.#chosen = options.defaultSelection.scenarios
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
    const world = this.#open.get(name) ?? this.#start(this.#compose(names), this.#asleep.get(name))
    if (world === this.#newest) return world
    this.#newest = world
    this.#open.delete(world.name)
    this.#open.set(world.name, world)
    return world
  }

  /** The chosen scenarios, even if they can't start now, and the current states. */
  get chosen(): Selection {
    return { scenarios: this.#chosen, states: this.current.states }
  }

  /** The current world. If its scenarios can't start any more, it sleeps, and the session falls back. */
  useCurrent(): World {
    const world = this.#useCurrentOrDefault(this.current.scenarios)
    if (world.loading !== undefined) this.#await(world)
    return world
  }

  #useCurrentOrDefault(names: readonly string[]): World {
    try {
      return this.use(names)
    } catch (error) {
      if (!(error instanceof MockError)) throw error
      this.#fallBack(names, error)
      return this.use(this.current.scenarios)
    }
  }

  /** Generated data can turn out not to fit. The next request then gets the default scenarios. */
  #await(world: World): void {
    if (this.#awaited.has(world)) return
    this.#awaited.add(world)
    world.loading?.catch((error: unknown) => {
      const { names } = world.composition
      if (!(error instanceof MockError) || this.get(names) !== world || this.#isDefault(names)) return
      const isCurrent = this.open === world
      this.#putToSleep(world)
      if (isCurrent) this.#fallBack(names, error)
      this.#owner.changed()
    })
  }

  /** Uses the default scenarios until the chosen ones can start. Throws if these are the default ones. */
  #fallBack(names: readonly string[], fault: MockError): void {
    if (this.#isDefault(names)) throw fault
    const { scenarios } = this.#options.defaultSelection
    this.current = { scenarios, states: this.current.states }
    this.fallback = `"${names}" can't start any more, so this session is in "${scenarios}": ${fault.problem}`
  }

  #isDefault(names: readonly string[]): boolean {
    return names.join() === this.#options.defaultSelection.scenarios.join()
  }

  /** Makes a selection the chosen and the current one, as part of the step of a cause. */
  choose(selection: Selection, cause: Cause): void {
    this.fallback = undefined
    this.#chosen = selection.scenarios
    this.enter(selection, cause)
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
    if (faultOf(() => this.use(selection.scenarios)) !== undefined) return
    if (selection.scenarios.join() !== this.current.scenarios.join()) {
      this.fallback = undefined
      this.#chosen = selection.scenarios
    }
    this.current = selection
  }

  /** Begins a world again, without a step. A scenario that was removed stays as the world knows it. */
  begin(world: World, saved: SavedWorld): void {
    world.begin(this.#compositionOf(world), saved)
  }

  /** A separate world in a saved state of another one. */
  copyOf(world: World, saved: SavedWorld): World {
    return new World(this.#compositionOf(world), this.#options, { saved })
  }

  #compositionOf({ composition }: World): Composition {
    let found = composition
    faultOf(() => {
      found = this.#compose(composition.names)
    })
    return found
  }

  /** Restarts the world of some scenarios, or opens it. A state file preserves its data. */
  restart(names: readonly string[], cause: Cause): void {
    const composition = this.#compose(names)
    const running = this.get(names)
    const stays = this.#options.persistence?.keepsDataOnSwitch === true
    if (running === undefined) this.#start(composition, stays ? this.#asleep.get(names.join(',')) : undefined)
    else if (stays && running.loading === undefined) running.restartSettings(composition, cause)
    else running.begin(composition, {}, { cause })
    this.use(names)
  }

  /** Restarts all worlds without their changes, as one step. Those that can't start are dropped. */
  startOver(cause: Cause): void {
    this.#asleep.clear()
    for (const world of [...this.#open.values()]) {
      const fault = faultOf(() => world.begin(this.#compose(world.composition.names), {}, { cause }))
      if (fault !== undefined) this.drop(world.name)
    }
  }

  /**
   * Puts the changes of all worlds on a new start, as one step. Worlds that can't start sleep. Returns to the chosen
   * scenarios if they can. The start already contains those of a taken world, without its reports.
   */
  reload(why: string, cause: Cause, taken?: World): void {
    for (const world of [...this.#open.values()]) {
      const { startedAt, changes: own } = world.saved()
      const changes = world === taken ? changesTo('reports', own) : own
      const count = countOf(changes)
      const title = count === 0 ? undefined : `${why}; ${count} of your changes stayed`
      const fault = faultOf(() =>
        world.begin(this.#compose(world.composition.names), { startedAt, changes }, { cause, title, isReload: true }),
      )
      if (fault !== undefined) this.#putToSleep(world)
    }
    const { chosen } = this
    const fault = faultOf(() => this.use(chosen.scenarios))
    if (fault === undefined) this.choose(chosen, cause)
    else this.#fallBack(chosen.scenarios, fault)
  }

  #putToSleep(world: World): void {
    const saved = world.isChanged ? world.saved() : undefined
    this.drop(world.name)
    if (saved !== undefined) this.#asleep.set(world.name, saved)
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
    const changed = new Map(this.#asleep)
    for (const [name, world] of this.#open) {
      const saved = world.isChanged ? world.saved() : undefined
      if (saved !== undefined && (saved.changes !== undefined || world.isSet)) changed.set(name, saved)
    }
    return changed
  }

  /** Whether a world differs from its start. */
  get areChanged(): boolean {
    return this.#asleep.size > 0 || [...this.#open.values()].some((world) => world.isChanged)
  }

  /** Replaces all worlds by saved ones. Each starts on its first use. States alone are on top of the default scenarios. */
  adopt(worlds: ReadonlyMap<string, SavedWorld>, selection = this.#options.defaultSelection): void {
    for (const name of [...this.#open.keys()]) this.drop(name)
    for (const [name, saved] of worlds) this.#asleep.set(name, saved)
    const { scenarios } = onTop(this.#options.defaultSelection, selection)
    this.fallback = undefined
    this.#chosen = scenarios
    this.current = { scenarios, states: selection.states }
    const fault = faultOf(() => this.#compose(scenarios))
    if (fault !== undefined && !this.#isDefault(scenarios)) this.#fallBack(scenarios, fault)
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
        if (change.commit === undefined && change.began === undefined) this.#owner.changed()
      },
    })
    world.data.onCommit(() => this.#owner.changed())
    this.#owner.history.open(world)
    this.#open.set(world.name, world)
    this.#asleep.delete(world.name)
    this.#dropUnused(world.name)
    return world
  }

  /** Drops worlds beyond the limit: unchanged ones first, each the least recently used first. */
  #dropUnused(newest: string): void {
    const used = [
      newest,
      ...[this.current.scenarios, ...this.#owner.history.lastSwitches].map((names) => names.join(',')),
    ]
    while (this.#open.size > WORLDS_KEPT) {
      const unused = [...this.#open.values()].filter(({ name }) => !used.includes(name))
      const oldest = unused.find((world) => !world.isChanged) ?? unused[0]
      if (oldest === undefined) return
      this.drop(oldest.name)
    }
  }
}
