import { Listeners } from '../../support/listeners.js'
import { Catalogue, expectScenarioNames } from '../scenarios/catalogue.js'
import type { Scenario } from '../scenarios/scenario.js'
import type { CommonLimit } from './common-limit.js'
import { History } from './history.js'
import { Journal } from './journal.js'
import type { Keeper, SavedSession, SavedWorld } from './keeper.js'
import { Logins } from './logins.js'
import type { WorldOptions } from './start.js'
import type { Cause } from './steps.js'
import { World } from './world.js'
import { Worlds } from './worlds.js'

export interface SessionOptions extends WorldOptions {
  catalogue: Catalogue
  defaultScenario: readonly string[]
  journalSize: number
  keeper?: Keeper | undefined
}

/** The limits that all sessions of an instance share. */
interface SessionLimits {
  readonly journals: CommonLimit
  readonly histories: CommonLimit
}

/** One tester of an instance: their current scenarios, their worlds, their history and their journal. */
export class Session {
  readonly name: string
  /** All scenarios, including the session's own. */
  readonly catalogue: Catalogue
  readonly journal: Journal
  readonly history: History
  /** The session's logins. A reset ends all logins; other changes of the scenario end none. */
  readonly logins = new Logins(() => this.changed())
  readonly #options: SessionOptions
  readonly #worlds: Worlds
  readonly #switches = new Listeners<[names: readonly string[]]>()
  readonly #changes = new Listeners()

  constructor(name: string, options: SessionOptions, limits: SessionLimits) {
    this.name = name
    this.#options = options
    this.catalogue = new Catalogue([], options.catalogue, name)
    this.journal = new Journal(options.journalSize, limits.journals)
    const moves = { go: (names: readonly string[]) => this.#worlds.go(names), moved: () => this.tellSwitch() }
    this.history = new History(moves, limits.histories)
    this.#worlds = new Worlds(options, this)
  }

  /** The current scenarios. */
  get switchedTo(): readonly string[] {
    return this.#worlds.current
  }

  /** Its worlds by the names of their scenarios, the least recently used first. */
  get worlds(): ReadonlyMap<string, World> {
    return this.#worlds.all
  }

  /** A notice for users about the session's scenario. */
  get notice(): string | undefined {
    return this.noticeIn(this.#worlds.get(this.switchedTo))
  }

  /** A notice for a request to one of its worlds. */
  noticeIn(world: World | undefined): string | undefined {
    return this.#worlds.fallback ?? world?.outdated
  }

  /** The world of the given scenarios, created on first use. Default: the current scenarios. */
  world(names: readonly string[] = this.#worlds.current): World {
    return this.#worlds.use(names)
  }

  get isInDefault(): boolean {
    return this.#worlds.isIn(this.#options.defaultScenario)
  }

  /** Whether it has anything to save. */
  get isChanged(): boolean {
    return !this.isInDefault || this.logins.all().length > 0 || this.changedWorlds().size > 0
  }

  /** Its changed worlds, by their names. */
  changedWorlds(): Map<string, SavedWorld> {
    return this.#worlds.changed()
  }

  /** Resumes the saved state. */
  adopt({ switchedTo, worlds, logins }: SavedSession): void {
    this.forgetHistory()
    this.#worlds.adopt(worlds, switchedTo)
    this.logins.resume(logins)
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

  /** Switches to scenarios and restarts their world, as one step. Throws, and changes nothing, if a scenario is unknown. */
  switchTo(given: readonly string[]): void {
    const names = expectScenarioNames(given)
    const cause = this.restart(names)
    this.#worlds.fallback = undefined
    this.#worlds.enter(names, cause)
    this.tellSwitch()
  }

  /** Switches back to the default scenario and restarts its world. */
  switchBack(): void {
    this.switchTo(this.#options.defaultScenario)
  }

  /** Restarts the world of the given scenarios, without switching to it. A keeper can preserve its data. Returns the cause of the step. */
  restart(given: readonly string[]): Cause {
    const names = expectScenarioNames(given)
    const cause = { what: 'restart', title: `"${names.join(',')}" started again` }
    this.#worlds.restart(names, cause)
    return cause
  }

  /**
   * Restarts all worlds from new files, with their own changes on top. The journal stays, and so does the switch if its
   * scenarios can still start.
   */
  restartAll(files: string): void {
    const cause = { what: 'reload', title: `${files} changed: the scenarios were reloaded` }
    this.#worlds.restartAll(cause, files)
    this.#worlds.enter(
      this.#worlds.startable(this.switchedTo, (names) => this.world(names)),
      cause,
    )
    this.tellSwitch()
  }

  /** Restarts all worlds, empties the journal, switches back to the default scenario and, by default, ends all logins. */
  reset({ keepsLogins = false } = {}): void {
    const cause = { what: 'reset', title: 'Everything started over' }
    this.#worlds.restartAll(cause)
    if (!keepsLogins) this.logins.clear()
    this.#worlds.forgetDormant()
    this.journal.clear()
    this.journal.endWaits()
    this.#worlds.fallback = undefined
    this.#worlds.enter(this.#options.defaultScenario, cause)
    this.tellSwitch()
  }

  forgetHistory(): void {
    this.history.clear()
  }

  /** Whether one of its worlds uses a scenario, or it could step back to such a world. */
  needs(name: string): boolean {
    const names = [[...this.worlds.keys()], this.switchedTo, ...this.history.lastSwitches].flat()
    return this.catalogue.include(
      names.flatMap((key) => key.split(',')),
      name,
    )
  }

  /** Drops its worlds of a scenario that is about to be removed. */
  dropWorldsOf(name: string): void {
    for (const key of [...this.worlds.keys()]) {
      if (this.catalogue.include(key.split(','), name)) this.#worlds.drop(key)
    }
    this.history.forgetSwitches((names) => this.catalogue.include(names, name))
  }

  /** Calls a listener after each switch and each reset. Returns a function that unsubscribes. */
  onSwitch(listener: (names: readonly string[]) => void): () => void {
    return this.#switches.add(listener)
  }

  /** Calls a listener after each commit in any of its worlds, and after each switch. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    return this.#changes.add(listener)
  }

  /** Notifies all listeners about the current scenarios and changed worlds. */
  tellSwitch(): void {
    this.changed()
    this.#switches.notify(this.switchedTo)
  }

  /** Notifies all listeners about changed worlds. */
  changed(): void {
    this.#options.keeper?.changed()
    this.#changes.notify()
  }
}
