import { Listeners } from '../../support/listeners.js'
import { MockError } from '../errors/mock-errors.js'
import { Catalogue, type Composition } from '../scenarios/catalogue.js'
import type { Scenario } from '../scenarios/scenario.js'
import type { RecordChange } from './history.js'
import { Journal } from './journal.js'
import type { JournalLimit } from './journal-limit.js'
import type { Keeper } from './keeper.js'
import { type KeptLogin, Logins } from './logins.js'
import type { Cause, Visit } from './steps.js'
import { type KeptWorld, World, type WorldOptions } from './world.js'

/** The maximum worlds in a session. It drops the least recently used first, but never the current one. */
export const WORLDS_KEPT = 32

const FILES_CHANGED = 'Your files changed: start over (POST /__mock/reset), or keep your data (POST /__mock/keep).'

export interface SessionOptions extends WorldOptions {
  catalogue: Catalogue
  defaultScenario: readonly string[]
  journalSize: number
  keeper?: Keeper | undefined
}

/** The saved state of a session. */
export interface KeptSession {
  /** Undefined for its default scenario. */
  switchedTo?: readonly string[] | undefined
  worlds: ReadonlyMap<string, KeptWorld>
  logins: readonly KeptLogin[]
}

/** One tester of an instance: their current scenarios, their worlds, their journal. */
export class Session {
  readonly name: string
  /** All scenarios, including the session's own. */
  readonly catalogue: Catalogue
  readonly journal: Journal
  /** The session's logins. A reset ends all logins; other changes of the scenario end none. */
  readonly logins = new Logins(() => this.#changed())
  readonly #options: SessionOptions
  /** The least recently used first. */
  readonly #worlds = new Map<string, World>()
  /** Saved worlds whose scenarios can't start now. They can come back. */
  readonly #dormant = new Map<string, KeptWorld>()
  readonly #switches = new Listeners<[names: readonly string[]]>()
  readonly #changes = new Listeners()
  /** The reason why it fell back to its default scenario, if its scenario can't start any more. */
  #fallback: string | undefined
  #back: Visit | undefined
  #forth: Visit | undefined
  #lastMoment = -1
  #switchedTo: readonly string[]
  /** The most recently used world. */
  #newest: World | undefined

  constructor(name: string, options: SessionOptions, journals: JournalLimit) {
    this.name = name
    this.#options = options
    this.catalogue = new Catalogue([], options.catalogue, name)
    this.#switchedTo = options.defaultScenario
    this.journal = new Journal(options.journalSize, journals)
  }

  get switchedTo(): readonly string[] {
    return this.#switchedTo
  }

  /** The scenarios of each of its worlds, the least recently used first. */
  get worlds(): string[] {
    return [...this.#worlds.keys()]
  }

  /** Its worlds by their names, the least recently used first. */
  get openWorlds(): ReadonlyMap<string, World> {
    return this.#worlds
  }

  /** A notice for users about the session's scenario. */
  get notice(): string | undefined {
    return this.noticeIn(this.#worlds.get(this.#switchedTo.join(',')))
  }

  /** A notice for a request to one of its worlds. */
  noticeIn(world: World | undefined): string | undefined {
    return this.#fallback ?? (world?.origin.filesChanged ? FILES_CHANGED : undefined)
  }

  /** Keeps the data of a world whose files changed, and removes the notice about it. */
  keepData(world: World): void {
    world.origin = world.origin.withCurrentFiles()
    this.#changed()
  }

  /** The world of the given scenarios, created on first use. Default: the current scenarios. */
  world(names: readonly string[] = this.#switchedTo): World {
    const key = names.join(',')
    const world = this.#worlds.get(key) ?? this.#open(this.catalogue.compose(names), this.#dormant.get(key))
    if (world === this.#newest) return world
    this.#newest = world
    this.#worlds.delete(key)
    this.#worlds.set(key, world)
    return world
  }

  get isInDefault(): boolean {
    return this.#isSwitchedTo(this.#options.defaultScenario.join(','))
  }

  /** Whether it has anything to save. */
  get isChanged(): boolean {
    return !this.isInDefault || this.logins.toJSON().length > 0 || this.changedWorlds().size > 0
  }

  /** Its changed worlds, by their names. */
  changedWorlds(): Map<string, KeptWorld> {
    const changed = new Map(this.#dormant)
    for (const [key, world] of this.#worlds) {
      const { isSet, data, origin } = world
      if (origin.isTouched) changed.set(key, { data, position: world.position(), madeFrom: origin.madeFrom })
      else if (isSet) changed.set(key, { position: world.position() })
    }
    return changed
  }

  /** Resumes the saved state. */
  adopt({ switchedTo, worlds, logins }: KeptSession): void {
    for (const name of this.worlds) this.#drop(name)
    this.#back = undefined
    this.#forth = undefined
    for (const [key, kept] of worlds) {
      try {
        this.#open(this.catalogue.compose(key.split(',')), kept)
      } catch (error) {
        if (!(error instanceof MockError)) throw error
        this.#dormant.set(key, kept)
      }
    }
    this.logins.resume(logins)
    this.#switchedTo = this.#startable(switchedTo)
  }

  /**
   * Adds a scenario from a file, or replaces the saved scenario of its name: running worlds stay unchanged. Resolves to
   * the scenario, and whether it is new. Rejects, and changes nothing, if it can't start.
   */
  async addScenario(given: unknown): Promise<{ scenario: Scenario; isNew: boolean }> {
    const { scenario, isNew, catalogue } = this.catalogue.with(given)
    await this.trial([scenario.name], undefined, catalogue)
    this.catalogue.keep(scenario)
    return { scenario, isNew }
  }

  /** A separate world of scenarios, started at a given time, that doesn't belong to the session. */
  async trial(names: readonly string[], now?: Date, catalogue = this.catalogue): Promise<World> {
    const world = new World(catalogue.compose(names), now === undefined ? this.#options : { ...this.#options, now })
    await world.loading
    return world
  }

  /**
   * Switches to scenarios and restarts their world. The previous world stays unchanged, and `step` leads back to it.
   * Throws, and changes nothing, if a scenario is unknown.
   */
  switchTo(names: readonly string[]): void {
    this.restart(names)
    this.#fallback = undefined
    this.#leaveFor(names)
    this.tellSwitch()
  }

  /** Switches back to the default scenario and restarts its world. */
  switchBack(): void {
    this.switchTo(this.#options.defaultScenario)
  }

  /** Restarts the world of the given scenarios, without switching to it. A keeper can preserve its data. */
  restart(names: readonly string[]): void {
    const composition = this.catalogue.compose(names)
    const running = this.#worlds.get(names.join(','))
    const stays = this.#options.keeper?.outlivesRestarts === true
    const cause = { what: 'restart', title: `"${names.join(',')}" started again` }
    if (running === undefined) this.#open(composition, stays ? this.#dormant.get(names.join(',')) : undefined)
    else if (stays && running.loading === undefined) running.restartSettings(composition, cause)
    else running.startAgain(composition, cause)
    this.world(names)
  }

  /**
   * Restarts all worlds from new files; a keeper can preserve changed data. The journal stays, and so does the switch if
   * its scenarios can still start.
   */
  restartAll(): void {
    const cause = { what: 'reload', title: 'The scenarios were reloaded' }
    this.#startAllAgain(cause, this.#options.keeper?.outlivesRestarts)
    this.#leaveFor(
      this.#startable(this.#switchedTo, (names) => this.world(names)),
      cause,
    )
    this.tellSwitch()
  }

  /** Restarts all worlds, empties the journal, switches back to the default scenario and, by default, ends all logins. */
  reset({ keepsLogins = false } = {}): void {
    const cause = { what: 'reset', title: 'Everything started over' }
    this.#startAllAgain(cause)
    if (!keepsLogins) this.logins.clear()
    this.#dormant.clear()
    this.journal.clear()
    this.journal.endWaits()
    this.#fallback = undefined
    this.#leaveFor(this.#options.defaultScenario, cause)
    this.tellSwitch()
  }

  /**
   * Undoes (-1) or redoes (1) a step of a world, and the same step of other worlds: a reset is one step for all. Right
   * after a switch, returns to the previous world. Returns false if there is nothing to do.
   */
  step({ name, history }: World, by: -1 | 1): boolean {
    const visit = by === -1 ? this.#back : this.#forth
    const isVisiting = this.#isSwitchedTo(name) && visit?.at === history.current && this.#canStart(visit.names)
    const cause = isVisiting ? visit.cause : history.causeOf(by)
    if (!isVisiting && cause === undefined) return false
    const left = { names: this.#switchedTo, cause }
    try {
      for (const { history } of this.#worlds.values()) {
        if (cause !== undefined && history.causeOf(by) === cause) history.move(by)
      }
      if (isVisiting) {
        this.#switchedTo = visit.names
        const isAt = { ...left, at: this.world().history.current }
        this.#back = by === 1 ? isAt : undefined
        this.#forth = by === -1 ? isAt : undefined
      }
    } finally {
      this.tellSwitch()
    }
    return true
  }

  /** Goes to a history entry of any of its worlds. Returns false for an unknown ID. */
  goTo(id: number): boolean {
    const world = this.#worldAt(id)
    if (world === undefined) return false
    try {
      world.history.goTo(id)
    } finally {
      this.tellSwitch()
    }
    return true
  }

  /** The changes of an entry's step. Undefined for an unknown ID. */
  changesAt(id: number): RecordChange[] | undefined {
    return this.#worldAt(id)?.history.changesAt(id)
  }

  forgetHistory(): void {
    for (const { history } of this.#worlds.values()) history.clear()
    this.#back = undefined
    this.#forth = undefined
  }

  /** Whether one of its worlds uses a scenario, or it could step back to such a world. */
  needs(name: string): boolean {
    const visited = [this.#back, this.#forth].flatMap((visit) => visit?.names ?? [])
    const worlds = this.worlds.flatMap((key) => key.split(','))
    return this.catalogue.include([...worlds, ...this.#switchedTo, ...visited], name)
  }

  /** Drops its worlds of a scenario that is about to be removed. */
  dropWorldsOf(name: string): void {
    const includes = (names: readonly string[] = []) => this.catalogue.include(names, name)
    for (const key of this.worlds) if (includes(key.split(','))) this.#drop(key)
    if (includes(this.#back?.names)) this.#back = undefined
    if (includes(this.#forth?.names)) this.#forth = undefined
  }

  /** Calls a listener after each switch and each reset. Returns a function that unsubscribes. */
  onSwitch(listener: (names: readonly string[]) => void): () => void {
    return this.#switches.add(listener)
  }

  /** Calls a listener after each commit in any of its worlds, and after each switch. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    return this.#changes.add(listener)
  }

  /** Opens a world, with or without its saved state. */
  #open(composition: Composition, kept?: KeptWorld): World {
    const key = composition.names.join(',')
    const world = new World(composition, this.#options, {
      kept,
      logins: this.logins,
      nextMoment: (change) => {
        // After a new step of the world, the session can't redo the switch that it undid last.
        if (this.#isSwitchedTo(key)) this.#forth = undefined
        // A commit notifies listeners itself, once it is made.
        if (change !== undefined && change.commit === undefined) this.#changed()
        return ++this.#lastMoment
      },
    })
    world.data.guardWith((commit) => {
      if (!('after' in commit) || commit.after !== world.origin.contents) world.origin = world.origin.touched()
      world.history.committing(commit)
    })
    world.data.onCommit(() => this.#changed())
    this.#worlds.set(key, world)
    this.#dormant.delete(key)
    this.#dropUnused(key)
    return world
  }

  /** Drops worlds beyond the limit: the least recently used first and, if they are saved, the most recently changed last. */
  #dropUnused(newest: string): void {
    const used = [newest, names(this.#switchedTo), names(this.#back?.names), names(this.#forth?.names)]
    while (this.#worlds.size > WORLDS_KEPT) {
      const unused = [...this.#worlds.values()].filter(({ name }) => !used.includes(name))
      const isKept = this.#options.keeper !== undefined
      const oldest = (isKept ? unused.find(({ origin }) => !origin.isTouched) : undefined) ?? unused[0]
      if (oldest === undefined) return
      this.#drop(oldest.name)
    }
  }

  #changed(): void {
    this.#options.keeper?.changed()
    this.#changes.notify()
  }

  #drop(key: string): void {
    if (this.#worlds.get(key) === this.#newest) this.#newest = undefined
    this.#worlds.delete(key)
  }

  #worldAt(moment: number): World | undefined {
    return [...this.#worlds.values()].find(({ history }) => history.has(moment))
  }

  #isSwitchedTo(key: string): boolean {
    return key === this.#switchedTo.join(',')
  }

  /** Restarts all worlds, or all but their data, as one step of each. Drops a world that can't start any more. */
  #startAllAgain(cause: Cause, dataStays = false): void {
    for (const world of [...this.#worlds.values()]) {
      try {
        const composition = this.catalogue.compose(world.composition.names)
        if (dataStays && world.origin.isTouched) world.restartSettings(composition, cause)
        else world.startAgain(composition, cause)
      } catch (error) {
        if (!(error instanceof MockError)) throw error
        this.#drop(world.name)
      }
    }
  }

  /** Switches the session to scenarios; `step` leads back. */
  #leaveFor(names: readonly string[], cause?: Cause): void {
    if (!this.#isSwitchedTo(names.join(','))) {
      this.#back = { names: this.#switchedTo, at: this.world(names).history.current, cause }
      this.#forth = undefined
    }
    this.#switchedTo = names
  }

  #canStart(names: readonly string[]): boolean {
    try {
      return this.world(names) !== undefined
    } catch (error) {
      if (error instanceof MockError) return false
      throw error
    }
  }

  /** The given scenarios, if they can start; otherwise the default scenarios, and `notice` says why. */
  #startable(
    names: readonly string[] = this.#options.defaultScenario,
    start: (names: readonly string[]) => unknown = (names) => this.catalogue.compose(names),
  ): readonly string[] {
    const { defaultScenario } = this.#options
    this.#fallback = undefined
    try {
      start(names)
      return names
    } catch (error) {
      if (!(error instanceof MockError)) throw error
      this.#fallback = `"${names}" can't start any more, so this session is in "${defaultScenario}": ${error.problem}`
      return defaultScenario
    }
  }

  /** Notifies all listeners about the current scenarios and changed worlds. */
  tellSwitch(): void {
    this.#changed()
    this.#switches.notify(this.#switchedTo)
  }
}

function names(given: readonly string[] | undefined): string | undefined {
  return given?.join(',')
}
