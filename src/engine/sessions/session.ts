import { ALL_FLAGS, type FlagStates } from '../../service/resources/sdk/told-features.js'
import { Listeners } from '../../support/listeners.js'
import { Catalogue, DEFAULT_SCENARIO } from '../scenarios/catalogue.js'
import { expectNoFlag, expectStates, noticeOn } from '../scenarios/flag-states.js'
import type { ForceRule } from '../scenarios/force-rule.js'
import type { Scenario } from '../scenarios/scenario.js'
import { expectShort, NO_STATES, namesOf, type Selection, statesOnTop } from '../scenarios/selection.js'
import type { CommonLimit } from './common-limit.js'
import type { CoverageCounter, SessionCoverage } from './flag-counter.js'
import { History } from './history.js'
import { Journal } from './journal.js'
import { Logins } from './logins.js'
import type { Persistence, SavedSession } from './persistence.js'
import type { WorldOptions } from './start.js'
import type { Cause, SavedWorld } from './steps.js'
import { World } from './world.js'
import { Worlds } from './worlds.js'

export interface SessionOptions extends WorldOptions {
  catalogue: Catalogue
  defaultSelection: Selection
  journalSize: number
  /** The flag coverage of the mock. */
  coverage: CoverageCounter
  persistence?: Persistence | undefined
}

/** The limits that all sessions of an instance share. */
interface SessionLimits {
  readonly journals: CommonLimit
  readonly histories: CommonLimit
}

/** The options of a separate world that can differ from the session's. */
type SeparateOptions = Partial<Pick<SessionOptions, 'catalogue' | 'now' | 'fixtures'>>

/** One tester of an instance: their current scenarios, their worlds, their history and their journal. */
export class Session {
  readonly name: string
  /** All scenarios, including the session's own. */
  readonly catalogue: Catalogue
  readonly journal: Journal
  readonly history: History
  /** The session's logins. A reset ends all logins; other changes of the scenario end none. */
  readonly logins = new Logins(() => this.changed())
  /** The flags that code has switched since the last reset: to on or off, and the last request before that. */
  readonly changedFlags = new Map<string, { isOn: boolean; after: number }>()
  /** The rules that code has added, each with the last request before that. Rules that a restart removed stay here. */
  readonly addedRules = new Map<ForceRule, number>()
  /** The flags that code had created and that a restart removed. */
  readonly discarded = new Set<string>()
  /** For each client that code created, a function that returns facts about it. They end at a reset. */
  readonly clients = new Set<() => string[]>()
  readonly #options: SessionOptions
  readonly #worlds: Worlds
  readonly #switches = new Listeners<[names: readonly string[]]>()
  readonly #changes = new Listeners()

  constructor(name: string, options: SessionOptions, limits: SessionLimits) {
    this.name = name
    this.#options = options
    this.catalogue = new Catalogue([], options.catalogue, name)
    this.journal = new Journal(options.journalSize, limits.journals)
    const worlds = new Worlds(options, this)
    this.#worlds = worlds
    this.history = new History(
      {
        go: (selection) => worlds.go(selection),
        begin: (world, saved) => worlds.begin(world, saved),
        contentsOf(world, saved) {
          const copy = worlds.copyOf(world, saved)
          return copy.loading === undefined ? copy.data.contents() : undefined
        },
        moved: () => this.tellSwitch(),
      },
      limits.histories,
    )
  }

  /** The current scenarios, and the states of flags that SDKs are told. */
  get selection(): Selection {
    return this.#worlds.current
  }

  /** The names of the current scenarios and states. */
  get activeNames(): readonly string[] {
    return namesOf(this.selection)
  }

  /** The chosen scenarios and states: the current ones, unless the scenarios can't start now. Undefined for the default. */
  get chosen(): Selection | undefined {
    const { chosen } = this.#worlds
    return namesOf(chosen).join() === namesOf(this.#options.defaultSelection).join() ? undefined : chosen
  }

  /** Its worlds by the names of their scenarios, the least recently used first. */
  get worlds(): ReadonlyMap<string, World> {
    return this.#worlds.all
  }

  /** A notice for users about the session's scenario. */
  get notice(): string | undefined {
    return this.noticeIn(this.#worlds.open)
  }

  /** A notice for a request to one of its worlds, with some states of flags. */
  noticeIn(world: World | undefined, states = this.selection.states): string | undefined {
    const notice = this.#worlds.fallback ?? world?.notice
    const flags = world?.composition.flags ?? NO_STATES
    if (world === undefined || flags.size + states.size === 0) return notice
    const ofStates = noticeOn(statesOnTop(flags, states), world.data.tables)
    return notice === undefined || ofStates === undefined ? (notice ?? ofStates) : `${notice} ${ofStates}`
  }

  /** The world of the given scenarios, created on first use. Default: the current scenarios. */
  world(names?: readonly string[]): World {
    const isCurrent = names === undefined || names.join() === this.selection.scenarios.join()
    return isCurrent ? this.#worlds.useCurrent() : this.#worlds.use(names)
  }

  /** Settles when the current world has loaded its data, perhaps of the default scenarios in place of those that can't start. */
  async ready(): Promise<void> {
    const world = this.world()
    await world.loading?.catch((error: unknown) => {
      if (this.world() === world) throw error
      return this.ready()
    })
  }

  /**
   * The world of a selection, and the states that SDKs are told there: those of the session, and on top of them its own.
   * Throws `UNKNOWN_SCENARIO` or `TOO_MANY_SCENARIOS`.
   */
  select({ scenarios, states }: Selection): { world: World; states: FlagStates } {
    this.#expectScenarios(scenarios)
    const world = scenarios.length === 0 ? this.world() : this.world(scenarios)
    expectStatesIn(world, states)
    const told = statesOnTop(this.selection.states, states)
    if (told !== states) expectShort(told)
    return { world, states: told }
  }

  /** Its flag coverage since its last reset. */
  get coverage(): SessionCoverage {
    return this.#options.coverage.forSession(this.name)
  }

  get isInDefault(): boolean {
    return this.#worlds.isIn(this.#options.defaultSelection)
  }

  /** Whether it has anything to save. */
  get isChanged(): boolean {
    return this.chosen !== undefined || this.logins.all().length > 0 || this.#worlds.areChanged
  }

  /** Its changed worlds, by their names. */
  changedWorlds(): Map<string, SavedWorld> {
    return this.#worlds.changed()
  }

  /** Resumes the saved state. */
  adopt({ selection, worlds, logins }: SavedSession): void {
    this.forgetHistory()
    this.#worlds.adopt(worlds, selection)
    this.logins.resume(logins)
  }

  /**
   * Adds a scenario from a file, or replaces the saved scenario of its name: running worlds stay unchanged. Resolves to
   * the scenario, and whether it is new. Rejects, and changes nothing, if it can't start.
   */
  async addScenario(given: unknown): Promise<{ scenario: Scenario; isNew: boolean }> {
    const { scenario, isNew, catalogue } = this.catalogue.with(given)
    await this.startScratchWorld([scenario.name], { catalogue })
    this.catalogue.keep(scenario)
    return { scenario, isNew }
  }

  /** A separate world of scenarios that doesn't belong to the session. Some options can differ. */
  async startScratchWorld(names: readonly string[], own?: SeparateOptions): Promise<World> {
    const world = this.#separate(names, own)
    await world.loading
    return world
  }

  #separate(names: readonly string[], { catalogue = this.catalogue, ...own }: SeparateOptions = {}): World {
    return new World(catalogue.compose(names), { ...this.#options, ...own })
  }

  /** Throws `UNKNOWN_SCENARIO` for the name of a flag in the place of a scenario. */
  #expectScenarios(names: readonly string[]): void {
    for (const name of names) {
      if (this.catalogue.has(name)) continue
      expectNoFlag(name, (this.#worlds.open ?? this.#separate([DEFAULT_SCENARIO])).data.tables)
    }
  }

  /** Waits for the generated data of a selection. Rejects if its scenarios can't start. */
  async loaded({ scenarios, states }: Selection): Promise<void> {
    this.#expectScenarios(scenarios)
    if (scenarios.length === 0) await (states.size === 0 ? undefined : this.world().loading)
    else if (this.catalogue.compose(scenarios).generate.length > 0) await this.startScratchWorld(scenarios)
  }

  /**
   * Switches to scenarios and restarts their world, as one step; only their states stay. States alone restart nothing, and
   * replace the session's states. Throws, and changes nothing, if a name is unknown.
   */
  switchTo(selection: Selection): void {
    const { scenarios, states } = selection
    this.#expectScenarios(scenarios)
    expectShort(states)
    if (states.size > 0) {
      const isHere = scenarios.length === 0
      expectStatesIn(isHere ? this.world() : (this.#worlds.get(scenarios) ?? this.#separate(scenarios)), states)
    }
    if (scenarios.length === 0) {
      this.tell(states, { what: 'flags', title: 'SDKs are told other states of flags' })
      return
    }
    const cause = this.restart(scenarios)
    this.#worlds.choose(selection, cause)
    this.tellSwitch()
  }

  /** Replaces the states of flags that SDKs are told, as part of the step of a cause. */
  tell(states: FlagStates, cause: Cause): void {
    this.#worlds.enter({ scenarios: this.selection.scenarios, states }, cause)
    this.tellSwitch()
  }

  /**
   * Ends the states of flags that code switches, so that SDKs are told the data. Where the scenario or a state of all flags
   * would be told then, SDKs are told the given state.
   */
  endStates(flags: readonly string[], state: string, cause: Cause): void {
    const { states } = this.selection
    const { flags: below } = this.world().composition
    if (states.size + below.size === 0) return
    const left = new Map(states)
    const isTold = (flag: string) => [flag, ALL_FLAGS].some((name) => left.has(name) || below.has(name))
    for (const flag of flags) {
      left.delete(flag)
      if (isTold(flag)) left.set(flag, state)
    }
    this.tell(left, cause)
  }

  /** Switches back to the default scenario and restarts its world. */
  async switchBack(): Promise<void> {
    await this.loaded(this.#options.defaultSelection)
    this.switchTo(this.#options.defaultSelection)
  }

  /** Restarts the world of the given scenarios, without switching to it. A state file preserves its data. Returns the cause of the step. */
  restart(names: readonly string[]): Cause {
    const cause = { what: 'restart', title: `"${names.join(',')}" started again` }
    const running = this.#worlds.get(names)
    if (running !== undefined) this.#discard(running)
    this.#worlds.restart(names, cause)
    return cause
  }

  /**
   * Restarts all worlds from a new start, with their own changes on top, unless the start was taken from them. The journal
   * stays, and so does the switch if its scenarios can still start.
   */
  restartAll(why: string, taken?: World): void {
    const cause = { what: 'reload', title: `${why}: the scenarios were reloaded` }
    this.#worlds.reload(why, cause, taken)
    this.tellSwitch()
  }

  /** Restarts all worlds, empties the journal, switches back to the default scenario and, by default, ends all logins. */
  reset({ keepsLogins = false } = {}): void {
    const cause = { what: 'reset', title: 'Everything started over' }
    for (const world of this.worlds.values()) this.#discard(world)
    this.clients.clear()
    this.#worlds.startOver(cause)
    if (!keepsLogins) this.logins.clear()
    this.changedFlags.clear()
    this.journal.clear()
    this.journal.endWaits()
    this.#options.coverage.close(this.name)
    this.#worlds.choose(this.#options.defaultSelection, cause)
    this.tellSwitch()
  }

  #discard({ created, data }: World): void {
    for (const name of created) if (data.tables.features.has(name)) this.discarded.add(name)
  }

  forgetHistory(): void {
    this.history.clear()
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
    this.#switches.notify(this.activeNames)
  }

  /** Notifies all listeners about changed worlds. */
  changed(): void {
    this.#options.persistence?.changed()
    this.#changes.notify()
  }
}

/** Throws as `expectStates` does. Generated data can't be checked before it is loaded. */
function expectStatesIn({ loading, data }: World, states: FlagStates): void {
  if (loading === undefined) expectStates(states, data.tables)
}
