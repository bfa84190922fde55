import { show } from '../../support/json.js'
import { Listeners } from '../../support/listeners.js'
import { MockError } from '../errors/mock-errors.js'
import { Catalogue, type Composition, expectScenarioNames } from '../scenarios/catalogue.js'
import type { Scenario } from '../scenarios/scenario.js'
import { Journal, type JournalLimit } from './journal.js'
import type { Keeper } from './keeper.js'
import { type KeptLogin, Logins } from './logins.js'
import type { Cause } from './steps.js'
import { type HistoryEntry, type RecordChange, type Step, Timeline } from './timeline.js'
import { type KeptWorld, World, type WorldOptions } from './world.js'
import { Worlds } from './worlds.js'

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

/** One tester of an instance: their current scenarios, their worlds, their history and their journal. */
export class Session {
  readonly name: string
  /** All scenarios, including the session's own. */
  readonly catalogue: Catalogue
  readonly journal: Journal
  readonly timeline = new Timeline()
  /** The session's logins. A reset ends all logins; other changes of the scenario end none. */
  readonly logins = new Logins(() => this.changed())
  readonly #options: SessionOptions
  readonly #worlds: Worlds
  readonly #switches = new Listeners<[names: readonly string[]]>()
  readonly #changes = new Listeners()
  /** The reason why it fell back to its default scenario, if its scenario can't start any more. */
  #fallback: string | undefined
  #switchedTo: readonly string[]

  constructor(name: string, options: SessionOptions, journals: JournalLimit) {
    this.name = name
    this.#options = options
    this.catalogue = new Catalogue([], options.catalogue, name)
    this.#switchedTo = options.defaultScenario
    this.journal = new Journal(options.journalSize, journals)
    this.#worlds = new Worlds(options, this)
  }

  get switchedTo(): readonly string[] {
    return this.#switchedTo
  }

  /** The scenarios of each of its worlds, the least recently used first. */
  get worlds(): string[] {
    return [...this.openWorlds.keys()]
  }

  /** Its worlds by their names, the least recently used first. */
  get openWorlds(): ReadonlyMap<string, World> {
    return this.#worlds.all
  }

  /** A notice for users about the session's scenario. */
  get notice(): string | undefined {
    return this.noticeIn(this.#worlds.get(this.#switchedTo))
  }

  /** A notice for a request to one of its worlds. */
  noticeIn(world: World | undefined): string | undefined {
    return this.#fallback ?? world?.outdated
  }

  /** The world of the given scenarios, created on first use. Default: the current scenarios. */
  world(names: readonly string[] = this.#switchedTo): World {
    return this.#worlds.use(names, () => this.catalogue.compose(names))
  }

  get isInDefault(): boolean {
    return this.#isSwitchedTo(this.#options.defaultScenario)
  }

  /** Whether it has anything to save. */
  get isChanged(): boolean {
    return !this.isInDefault || this.logins.toJSON().length > 0 || this.changedWorlds().size > 0
  }

  /** Its changed worlds, by their names. */
  changedWorlds(): Map<string, KeptWorld> {
    return this.#worlds.changed()
  }

  /** Resumes the saved state. */
  adopt({ switchedTo, worlds, logins }: KeptSession): void {
    this.forgetHistory()
    this.#worlds.adopt(worlds, this.#compose)
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

  /** Switches to scenarios and restarts their world, as one step. Throws, and changes nothing, if a scenario is unknown. */
  switchTo(given: readonly string[]): void {
    const names = expectScenarioNames(given)
    const cause = this.#restart(names)
    this.#fallback = undefined
    this.#leaveFor(names, cause)
    this.tellSwitch()
  }

  /** Switches back to the default scenario and restarts its world. */
  switchBack(): void {
    this.switchTo(this.#options.defaultScenario)
  }

  /** Restarts the world of the given scenarios, without switching to it. A keeper can preserve its data. */
  restart(given: readonly string[]): void {
    this.#restart(expectScenarioNames(given))
  }

  #restart(names: readonly string[]): Cause {
    const cause = { what: 'restart', title: `"${names.join(',')}" started again` }
    this.#worlds.restart(this.catalogue.compose(names), cause)
    this.world(names)
    return cause
  }

  /**
   * Restarts all worlds from new files, with their own changes on top. The journal stays, and so does the switch if its
   * scenarios can still start.
   */
  restartAll(files: string): void {
    const cause = { what: 'reload', title: `${files} changed: the scenarios were reloaded` }
    this.#worlds.restartAll(this.#compose, cause, files)
    const start = (names: readonly string[]) => this.world(names)
    this.#leaveFor(this.#startable(this.#switchedTo, start), cause)
    this.tellSwitch()
  }

  /** Restarts all worlds, empties the journal, switches back to the default scenario and, by default, ends all logins. */
  reset({ keepsLogins = false } = {}): void {
    const cause = { what: 'reset', title: 'Everything started over' }
    this.#worlds.restartAll(this.#compose, cause)
    if (!keepsLogins) this.logins.clear()
    this.#worlds.forgetDormant()
    this.journal.clear()
    this.journal.endWaits()
    this.#fallback = undefined
    this.#leaveFor(this.#options.defaultScenario, cause)
    this.tellSwitch()
  }

  /**
   * Undoes (-1) or redoes (1) a step of a world, or a switch that leads away from it. Returns the current entry; undefined
   * if there was nothing to undo or redo.
   */
  step(world: World, by: -1 | 1): HistoryEntry | undefined {
    const leadsAway = (step: Step) => this.#isSwitchedTo([world.name]) && this.#targetOf(step, by) !== undefined
    const step = this.timeline.next(world, by, leadsAway)
    if (step === undefined) return undefined
    this.#move(step, by)
    const entered = this.#worlds.get(this.#switchedTo) ?? world
    return this.timeline.list(entered).find(({ current }) => current)
  }

  /** Goes to a history entry of any of its worlds. Throws `UNKNOWN_COMMIT`. */
  goTo(id: number): void {
    const world = this.#worldAt(id)
    for (let by = this.timeline.directionTo(world, id); by !== undefined; by = this.timeline.directionTo(world, id)) {
      const step = this.timeline.next(world, by)
      if (step !== undefined) this.#move(step, by)
    }
  }

  /** The changes of an entry's step. Throws `UNKNOWN_COMMIT`. */
  changesAt(id: number | string): RecordChange[] {
    return this.timeline.changesAt(this.#worldAt(id), id)
  }

  forgetHistory(): void {
    this.timeline.clear()
  }

  /** Whether one of its worlds uses a scenario, or it could step back to such a world. */
  needs(name: string): boolean {
    const names = [this.worlds, this.#switchedTo, ...this.timeline.lastSwitches].flat()
    return this.catalogue.include(
      names.flatMap((key) => key.split(',')),
      name,
    )
  }

  /** Drops its worlds of a scenario that is about to be removed. */
  dropWorldsOf(name: string): void {
    for (const key of this.worlds) if (this.catalogue.include(key.split(','), name)) this.#worlds.drop(key)
    this.timeline.forgetSwitches((names) => this.catalogue.include(names, name))
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
    this.#switches.notify(this.#switchedTo)
  }

  /** Notifies all listeners about changed worlds. */
  changed(): void {
    this.#options.keeper?.changed()
    this.#changes.notify()
  }

  readonly #compose = (names: readonly string[]): Composition => this.catalogue.compose(names)

  #move(step: Step, by: -1 | 1): void {
    const target = this.#targetOf(step, by)
    this.timeline.move(step, by)
    this.#switchedTo = target ?? this.#switchedTo
    this.tellSwitch()
  }

  /** The scenarios to which undoing (-1) or redoing (1) a step switches. Undefined if the session stays. */
  #targetOf({ switched }: Step, by: -1 | 1): readonly string[] | undefined {
    if (switched === undefined) return undefined
    const [here, target] = by === -1 ? [switched.to, switched.from] : [switched.from, switched.to]
    return this.#isSwitchedTo(here) && this.#canStart(target) ? target : undefined
  }

  /** The world of an entry. Throws `UNKNOWN_COMMIT`. */
  #worldAt(id: number | string): World {
    const current = this.#worlds.get(this.#switchedTo)
    const worlds = [...(current ? [current] : []), ...this.openWorlds.values()]
    const world = worlds.find((one) => this.timeline.has(one, id))
    if (world !== undefined) return world
    throw new MockError(
      'UNKNOWN_COMMIT',
      `The history has no entry with the id ${show(id)}.`,
      'GET /__mock/history, or mock.history.list(), lists the current entries.',
    )
  }

  #isSwitchedTo(names: readonly string[]): boolean {
    return names.join(',') === this.#switchedTo.join(',')
  }

  /** Switches the session to scenarios, as part of the step of a cause. */
  #leaveFor(names: readonly string[], cause: Cause): void {
    if (this.#isSwitchedTo(names)) return
    this.world(names)
    this.timeline.addSwitch(cause, { from: this.#switchedTo, to: names })
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
    start: (names: readonly string[]) => unknown = this.#compose,
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
}
