import type { Commit } from '../../service/store/table.js'
import { createClock } from '../../support/clock.js'
import { Listeners } from '../../support/listeners.js'
import { Catalogue, type Composition } from '../scenarios/catalogue.js'
import type { Scenario } from '../scenarios/scenario.js'
import type { WorldData } from '../state/state.js'
import type { Budget } from './budget.js'
import { History, type HistoryEntry, type RecordChange } from './history.js'
import { Journal } from './journal.js'
import type { Keeper } from './keeper.js'
import { Logins } from './logins.js'
import type { Cause, KeptHistory, Setting, Visit, Visits } from './steps.js'
import { type KeptWorld, World, type WorldOptions } from './world.js'

/** Worlds that a session keeps. The least recently used is dropped first, but never the one it is switched to. */
export const WORLDS_KEPT = 32

export interface SessionOptions extends WorldOptions {
  catalogue: Catalogue
  defaultScenario: readonly string[]
  journalSize: number
  keeper?: Keeper | undefined
}

/** One user of an instance: the scenarios that they are switched to, their worlds, their journal. */
export class Session {
  readonly name: string
  /** All scenarios, with those of its own. */
  readonly catalogue: Catalogue
  readonly journal: Journal
  /** Who is signed in. A reset ends all logins; nothing else that changes the scenario does. */
  readonly logins = new Logins({
    open: () => this.#worlds,
    kept: () => this.#options.keeper?.kept(this.name) ?? new Map(),
    reopen: (name) => {
      const names = name.split(',')
      return names.every((one) => this.catalogue.has(one)) ? this.world(names) : undefined
    },
  })
  readonly #options: SessionOptions
  readonly #worlds = new Map<string, World>()
  /** What unsubscribes from the data of each world. */
  readonly #following = new WeakMap<WorldData, () => void>()
  readonly #switches = new Listeners<[names: readonly string[]]>()
  readonly #historyBudget: Budget
  /** By the names of the worlds. A world that starts again goes on with the history of the one before. */
  readonly #histories = new Map<string, History>()
  #back: Visit | undefined
  #forth: Visit | undefined
  #lastCommit = -1
  readonly #commits = new Listeners<[world: World, commit: Commit]>()
  #switchedTo: readonly string[]
  /** The world used last. */
  #newest: World | undefined

  constructor(name: string, options: SessionOptions, budgets: { journals: Budget; histories: Budget }) {
    this.name = name
    this.#options = options
    this.catalogue = new Catalogue([], options.catalogue, name)
    this.#switchedTo = this.#keptSwitch()
    this.#resumeHistory()
    this.journal = new Journal(options.journalSize, budgets.journals)
    this.#historyBudget = budgets.histories
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

  /** The world of the given scenarios, created on first use. Default: the scenarios that it is switched to. */
  world(names: readonly string[] = this.#switchedTo): World {
    const key = names.join(',')
    const existing = this.#worlds.get(key)
    if (existing !== undefined) {
      if (existing === this.#newest) return existing
      this.#newest = existing
      this.#worlds.delete(key)
      this.#worlds.set(key, existing)
      return existing
    }
    return this.#start(key, this.catalogue.compose(names), this.#kept(key))
  }

  /** Goes on with what the keeper has kept. */
  resume(): void {
    this.#worlds.clear()
    this.forgetHistory()
    this.#switchedTo = this.#keptSwitch()
    this.#resumeHistory()
  }

  /** Where undo and redo lead right after a switch, except by steps of the worlds themselves. */
  get visits(): Visits {
    const ofSwitch = (visit: Visit | undefined) => (visit?.cause === undefined ? visit : undefined)
    return { back: ofSwitch(this.#back), forth: ofSwitch(this.#forth) }
  }

  /**
   * Switches to scenarios and restarts their world. The world that is left stays as it is, and `step` leads back to it.
   * Throws, and changes nothing, if a scenario is unknown.
   */
  switchTo(names: readonly string[]): void {
    this.restart(names)
    this.#leaveFor(names)
    this.#tellSwitch()
  }

  /**
   * Adds a scenario from a file, or replaces the saved one of its name: worlds that run stay as they are. Resolves to the
   * scenario, and whether it is new. Rejects, and changes nothing, if it can't be started.
   */
  async addScenario(given: unknown): Promise<{ scenario: Scenario; isNew: boolean }> {
    const { scenario, isNew, catalogue } = this.catalogue.with(given)
    await new World(catalogue.compose([scenario.name]), this.#options).loading
    this.catalogue.keep(scenario)
    return { scenario, isNew }
  }

  /** Switches back to the default scenario and restarts its world. */
  switchBack(): void {
    this.switchTo(this.#options.defaultScenario)
  }

  /** Restarts the world of the given scenarios, without switching to it. A keeper may have its data stay. */
  restart(names: readonly string[]): void {
    const key = names.join(',')
    const stays = this.#options.keeper?.outlivesRestarts === true
    const composition = this.catalogue.compose(names)
    this.#start(key, composition, stays ? this.#kept(key) : undefined)
  }

  /** Restarts all worlds. The journal stays, and so does the switch if its scenarios still exist. */
  restartAll(): void {
    const { defaultScenario } = this.#options
    const names = this.#switchedTo.every((name) => this.catalogue.has(name)) ? this.#switchedTo : defaultScenario
    this.#giveUpAll({ what: 'reload', title: 'The scenarios were reloaded' }, names)
  }

  /** Restarts all worlds, empties the journal, signs everybody out, and switches back to the default scenario. */
  reset(): void {
    this.#giveUpAll({ what: 'reset', title: 'Everything started over' }, this.#options.defaultScenario, () => {
      this.logins.clear()
      this.#options.keeper?.forget(this.name)
      this.journal.clear()
      this.journal.endWaits()
    })
  }

  /** The moments of a world's history, oldest first. */
  moments(world: World): HistoryEntry[] {
    return this.#historyOf(world.name).list()
  }

  /** What can be kept of a world's history. */
  keepableHistory(world: World): KeptHistory {
    return this.#historyOf(world.name).keepable
  }

  /**
   * Undoes (-1) or redoes (1) a step of a world, and with it the same step of others: a reset is one for all. Right after
   * a switch, goes back to the world that was left. Returns whether there was anything.
   */
  step(world: World, by: -1 | 1): boolean {
    const history = this.#historyOf(world.name)
    const visit = by === -1 ? this.#back : this.#forth
    const isVisiting = this.#isSwitchedTo(world.name) && visit?.at === history.current
    const cause = isVisiting ? visit.cause : history.causeOf(by)
    if (!isVisiting && cause === undefined) return false
    const left = { names: this.#switchedTo, cause }
    try {
      if (isVisiting) this.#switchedTo = this.catalogue.compose(visit.names).names
      for (const one of this.#histories.values()) if (cause !== undefined && one.causeOf(by) === cause) one.move(by)
      if (isVisiting) {
        const isAt = { ...left, at: this.#historyOf(this.#switchedTo.join(',')).current }
        this.#back = by === 1 ? isAt : undefined
        this.#forth = by === -1 ? isAt : undefined
      }
    } finally {
      this.#tellSwitch()
    }
    return true
  }

  /** Goes to a moment of any of its worlds. Returns whether there is one with this id. */
  goTo(id: number): boolean {
    const history = this.#historyWith(id)
    if (history === undefined) return false
    try {
      history.goTo(id)
    } finally {
      this.#tellSwitch()
    }
    return true
  }

  /** What the step that led to a moment changed. Undefined if there is no moment with this id. */
  changesAt(id: number): RecordChange[] | undefined {
    return this.#historyWith(id)?.changesAt(id)
  }

  /** Changes the clock or the rules of a world, as a step of its history. */
  set<Result>(world: World, cause: Cause, setting: 'clock' | 'rules', run: () => Result): Result {
    const position = (): Setting => ({ [setting]: world[setting].position() })
    const from = position()
    const result = run()
    // Of a world that was given up, nothing is kept.
    if (this.#worlds.get(world.name) !== world) return result
    this.#stepOf(world.name).done(cause, world.clock.epoch(), { from, to: position() })
    return result
  }

  forgetHistory(): void {
    for (const history of this.#histories.values()) history.clear()
    this.#histories.clear()
    this.#back = undefined
    this.#forth = undefined
  }

  /**
   * Closes a world: the next request for it opens it again, as it was kept. What requests under way still write to it is
   * rejected with the reason.
   */
  close(world: World, reason: unknown): void {
    world.data.guardWith(() => {
      throw reason
    })
    if (this.#worlds.get(world.name) === world) this.#worlds.delete(world.name)
    this.#giveUpHistory(world.name)
    if (this.#newest === world) this.#newest = undefined
  }

  /** Whether a world of it needs a scenario, one that is only kept included, or it could step back to one that does. */
  needs(name: string): boolean {
    const visited = [this.#back, this.#forth].flatMap((visit) => visit?.names ?? [])
    const worlds = this.#worldNames().flatMap((key) => key.split(','))
    return this.catalogue.include([...worlds, ...this.#switchedTo, ...visited], name)
  }

  /** Drops its worlds of a scenario, which is about to be removed. */
  dropWorldsOf(name: string): void {
    const includes = (names: readonly string[] = []) => this.catalogue.include(names, name)
    for (const key of this.#worldNames()) if (includes(key.split(','))) this.#dropWorld(key)
    if (includes(this.#back?.names)) this.#back = undefined
    if (includes(this.#forth?.names)) this.#forth = undefined
  }

  /** Calls back after each switch and each reset. Returns a function that unsubscribes. */
  onSwitch(listener: (names: readonly string[]) => void): () => void {
    return this.#switches.add(listener)
  }

  /** Calls back after each commit in any of its worlds. Returns a function that unsubscribes. */
  onCommit(listener: (world: World, commit: Commit) => void): () => void {
    return this.#commits.add(listener)
  }

  /** Starts a world. One that it takes the place of is kept, in the history. */
  #start(key: string, composition: Composition, kept: KeptWorld | undefined): World {
    const restarted = this.#worlds.get(key)
    if (restarted !== undefined) this.logins.leave(restarted)
    const world = new World(composition, this.#options, { kept, logins: this.logins })
    if (restarted !== undefined) this.#giveUp(restarted, { what: 'restart', title: `"${key}" started again` })
    this.#open(key, world)
    this.#newest = world
    this.#historyOf(key, kept?.history)
    const used = [this.#switchedTo, this.#back?.names, this.#forth?.names].map((names) => names?.join(','))
    for (const oldest of this.#worlds.keys()) {
      if (this.#worlds.size <= WORLDS_KEPT) break
      if (oldest !== key && !used.includes(oldest)) this.#dropFromMemory(oldest)
    }
    return world
  }

  /** The names of all its worlds, those included that are only kept. */
  #worldNames(): string[] {
    return [...new Set([...this.#worlds.keys(), ...(this.#options.keeper?.kept(this.name).keys() ?? [])])]
  }

  #dropWorld(key: string): void {
    this.#dropFromMemory(key)
    this.#options.keeper?.drop(this.name, key)
  }

  #dropFromMemory(key: string): void {
    const world = this.#worlds.get(key)
    if (world !== undefined) this.logins.leave(world)
    if (world === this.#newest) this.#newest = undefined
    this.#worlds.delete(key)
    this.#giveUpHistory(key)
  }

  #giveUpHistory(key: string): void {
    this.#histories.get(key)?.clear()
    this.#histories.delete(key)
  }

  /** Has a world answer under its name, and follows what is written to it. */
  #open(key: string, world: World): void {
    this.#worlds.set(key, world)
    this.logins.begin(world)
    const { data } = world
    data.guardWith((commit) => {
      const isOpen = this.#worlds.get(key)?.data === data
      // What a scenario generates need not be kept, nor what a request still writes to a world that was given up.
      if (isOpen && world.loading === undefined) this.#options.keeper?.committing(this.name, world, commit)
      if (this.#histories.get(key)?.isMoving) return
      this.logins.follow(commit, world)
      if (isOpen && world.cause !== undefined) this.#stepOf(key).committing(world.cause, world.clock.epoch(), commit)
    })
    this.#following.get(data)?.()
    this.#following.set(
      data,
      data.onCommit((commit) => this.#commits.notify(world, commit)),
    )
  }

  /** The history of the world with this name. It goes on with what was kept, if it starts just now. */
  #historyOf(key: string, kept?: KeptHistory): History {
    const existing = this.#histories.get(key)
    if (existing !== undefined) return existing
    const history = new History({
      scenario: key,
      startedAt: this.#worlds.get(key)?.startedAt ?? createClock(this.#options.now).epoch(),
      nextId: () => ++this.#lastCommit,
      world: () => this.world(key.split(',')),
      budget: this.#historyBudget,
      kept,
    })
    this.#histories.set(key, history)
    return history
  }

  /** The history of a world that is about to get a step: what was undone last by switching back can't be redone then. */
  #stepOf(key: string): History {
    if (this.#isSwitchedTo(key)) this.#forth = undefined
    return this.#historyOf(key)
  }

  #historyWith(id: number): History | undefined {
    return [...this.#histories.values()].find((history) => history.has(id))
  }

  #isSwitchedTo(key: string): boolean {
    return key === this.#switchedTo.join(',')
  }

  /** Gives all worlds up, as a step of each of them, and switches to some scenarios. Their worlds start when they are used. */
  #giveUpAll(cause: Cause, names: readonly string[], alsoDo?: () => void): void {
    for (const world of this.#worlds.values()) this.#giveUp(world, cause)
    this.#newest = undefined
    alsoDo?.()
    this.#leaveFor(names, cause)
    this.#tellSwitch()
  }

  /** Gives a world up, as a step of its history. It stays as it is, so to undo that, it only has to be put back. */
  #giveUp(world: World, cause: Cause): void {
    const { name } = world
    const { keeper } = this.#options
    const isKept = () => keeper?.kept(this.name).has(name) === true
    let other: { world: World | undefined; isKept: boolean } = { world, isKept: isKept() }
    this.logins.leave(world)
    this.#worlds.delete(name)
    const flip = () => {
      const now = { world: this.#worlds.get(name), isKept: isKept() }
      if (now.world !== undefined) this.logins.leave(now.world)
      this.#worlds.delete(name)
      if (other.world !== undefined) {
        this.logins.comeBack(other.world)
        this.#open(name, other.world)
      }
      if (other.world !== undefined && other.isKept) keeper?.keep(this.name, other.world)
      else keeper?.drop(this.name, name)
      this.#newest = undefined
      other = now
    }
    this.#stepOf(name).done(cause, world.clock.epoch(), { flip, otherData: () => other.world?.data })
  }

  /** Has the session be switched to scenarios, from where `step` leads back. */
  #leaveFor(names: readonly string[], cause?: Cause): void {
    if (!this.#isSwitchedTo(names.join(','))) {
      this.#back = { names: this.#switchedTo, at: this.#historyOf(names.join(',')).current, cause }
      this.#forth = undefined
    }
    this.#switchedTo = names
  }

  /** With a keeper, a world that starts again goes on with its data, so that requests under way lose nothing either. */
  #kept(key: string): KeptWorld | undefined {
    const { keeper } = this.#options
    if (keeper === undefined) return undefined
    const running = this.#worlds.get(key)
    const isReady = running !== undefined && running.loading === undefined
    return isReady ? { data: running.data } : keeper.resume(this.name, key)
  }

  #resumeHistory(): void {
    const { keeper } = this.#options
    const { back, forth } = keeper?.visits(this.name) ?? {}
    const isKnown = (visit: Visit | undefined) => visit?.names.every((name) => this.catalogue.has(name)) === true
    this.#lastCommit = keeper?.lastMoment(this.name) ?? -1
    this.#back = isKnown(back) ? back : undefined
    this.#forth = isKnown(forth) ? forth : undefined
  }

  #keptSwitch(): readonly string[] {
    const { keeper, defaultScenario } = this.#options
    const names = keeper?.activeScenarios(this.name)
    return names?.every((name) => this.catalogue.has(name)) ? names : defaultScenario
  }

  /** Tells everyone who follows the session what it is switched to now, and that its worlds may be others. */
  #tellSwitch(): void {
    const names = this.#switchedTo
    const isDefault = names.join(',') === this.#options.defaultScenario.join(',')
    this.#options.keeper?.switched(this.name, isDefault ? undefined : names)
    this.#switches.notify(names)
  }
}
