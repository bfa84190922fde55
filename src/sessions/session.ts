import type { Catalogue, Composition } from '../scenarios/catalogue.js'
import type { WorldData } from '../state/state.js'
import type { Commit } from '../store/table.js'
import { createClock } from '../support/clock.js'
import { Listeners } from '../support/listeners.js'
import type { Budget } from './budget.js'
import { type Cause, History, type HistoryEntry, type RecordChange, WORLD_WEIGHT } from './history.js'
import { Journal } from './journal.js'
import type { Keeper } from './keeper.js'
import { Logins } from './logins.js'
import { type KeptWorld, World, type WorldOptions, type WorldPosition } from './world.js'

/** Worlds that a session keeps. The least recently used is dropped first, but never the one it is switched to. */
export const WORLDS_KEPT = 32

export interface SessionOptions extends WorldOptions {
  catalogue: Catalogue
  defaultScenario: readonly string[]
  journalSize: number
  keeper?: Keeper | undefined
}

/** Where a session is: some of its worlds with their histories, and what it is switched to. */
interface Place {
  switchedTo: readonly string[]
  worlds: ReadonlyMap<string, World | undefined>
  histories: ReadonlyMap<string, History | undefined>
  /** The names of worlds that a keeper keeps something of. */
  kept: ReadonlySet<string>
}

/** One user of an instance: the scenarios that they are switched to, their worlds, their journal. */
export class Session {
  readonly name: string
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
  /** Of each world that has one, by its name. */
  readonly #histories = new Map<string, History>()
  #lastCommit = -1
  readonly #commits = new Listeners<[world: World, commit: Commit]>()
  #switchedTo: readonly string[]
  /** The world used last. */
  #newest: World | undefined

  constructor(name: string, options: SessionOptions, budgets: { journals: Budget; histories: Budget }) {
    this.name = name
    this.#options = options
    this.#switchedTo = this.#keptSwitch()
    this.journal = new Journal(options.journalSize, budgets.journals)
    this.#historyBudget = budgets.histories
  }

  get catalogue(): Catalogue {
    return this.#options.catalogue
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
  }

  /** Switches to scenarios and restarts their world. Throws, and changes nothing, if one is unknown. */
  switchTo(names: readonly string[]): void {
    const [from, to] = [this.#switchedTo.join(','), names.join(',')]
    this.#step({ what: 'switch', title: `Switch to "${to}"` }, from, [from, to], () => {
      this.#restart(names)
      this.#switchedTo = names
    })
    this.#tellSwitch()
  }

  /** Switches back to the default scenario and restarts its world. */
  switchBack(): void {
    this.switchTo(this.#options.defaultScenario)
  }

  /** Restarts the world of the given scenarios, without switching to it. A keeper may have its data stay. */
  restart(names: readonly string[]): void {
    const key = names.join(',')
    this.#step({ what: 'restart', title: `Start "${key}" again` }, key, [key], () => this.#restart(names))
  }

  #restart(names: readonly string[]): void {
    const key = names.join(',')
    const stays = this.#options.keeper?.outlivesRestarts === true
    this.#start(key, this.catalogue.compose(names), stays ? this.#kept(key) : undefined)
  }

  /** Restarts all worlds. The journal stays, and so does the switch if its scenarios still exist. */
  restartAll(): void {
    const { catalogue, defaultScenario } = this.#options
    const names = this.#switchedTo.every((name) => catalogue.has(name)) ? this.#switchedTo : defaultScenario
    this.#stepOfAll({ what: 'reload', title: 'Reload the scenarios' }, names, () => {
      for (const world of this.#worlds.values()) this.logins.leave(world)
    })
  }

  /** Restarts all worlds, empties the journal and switches back to the default scenario. */
  reset(): void {
    this.#stepOfAll({ what: 'reset', title: 'Reset' }, this.#options.defaultScenario, () => {
      this.logins.clear()
      this.#options.keeper?.forget(this.name)
      this.journal.clear()
    })
  }

  /** The moments of a world's history, oldest first. */
  moments(world: World): HistoryEntry[] {
    return this.#historyOf(world.name).list()
  }

  /** The data of a world before a request, by its id in the journal, as far as its history goes. */
  dataBefore(world: World, requestId: number): WorldData {
    return this.#histories.get(world.name)?.dataBefore(requestId) ?? world.data
  }

  /** Goes a step back or forth in the history of a world. Returns whether there was one. */
  step(world: World, by: -1 | 1): boolean {
    const history = this.#historyOf(world.name)
    return history.canMove(by) && this.#travel(history, history.at + by)
  }

  /** Goes to a moment of any of its worlds. Returns whether there is one with this id. */
  goTo(id: number): boolean {
    for (const history of this.#histories.values()) {
      const at = history.find(id)
      if (at !== undefined) return this.#travel(history, at)
    }
    return false
  }

  /** What the step that led to a moment changed. Undefined if there is no moment with this id. */
  changesAt(id: number): RecordChange[] | undefined {
    const history = [...this.#histories.values()].find((one) => one.find(id) !== undefined)
    return history?.changesAt(id)
  }

  /** Changes the clock or the rules of a world, as a step of its history. */
  set<Result>(world: World, cause: Cause, setting: 'clock' | 'rules', run: () => Result): Result {
    const position = (): Partial<WorldPosition> => ({ [setting]: world[setting].position() })
    let other = position()
    const result = run()
    // Of a world that was given up, nothing is kept.
    if (this.#worlds.get(world.name) !== world) return result
    const flip = () => {
      const now = position()
      world.goTo(other)
      other = now
    }
    this.#historyOf(world.name).done(momentOf(world), cause, world.rules.all().length, { flip })
    return result
  }

  forgetHistory(): void {
    for (const history of this.#histories.values()) history.clear()
    this.#histories.clear()
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

  /** Calls back after each switch and each reset. Returns a function that unsubscribes. */
  onSwitch(listener: (names: readonly string[]) => void): () => void {
    return this.#switches.add(listener)
  }

  /** Calls back after each commit in any of its worlds. Returns a function that unsubscribes. */
  onCommit(listener: (world: World, commit: Commit) => void): () => void {
    return this.#commits.add(listener)
  }

  #start(key: string, composition: Composition, kept: KeptWorld | undefined): World {
    const restarted = this.#worlds.get(key)
    if (restarted !== undefined) this.logins.leave(restarted)
    const world = new World(composition, this.#options, { kept, logins: this.logins })
    this.#worlds.delete(key)
    this.#open(key, world)
    this.#newest = world
    const current = this.#switchedTo.join(',')
    for (const [oldest, dropped] of this.#worlds) {
      if (this.#worlds.size <= WORLDS_KEPT) break
      if (oldest === current || oldest === key) continue
      this.logins.leave(dropped)
      this.#worlds.delete(oldest)
      this.#giveUpHistory(oldest)
    }
    return world
  }

  #giveUpHistory(key: string): void {
    this.#histories.get(key)?.clear()
    this.#histories.delete(key)
  }

  /** Has a world answer under its name, and follows what is written to it. */
  #open(key: string, world: World): void {
    this.#worlds.set(key, world)
    const { data } = world
    data.guardWith((commit) => {
      if (this.#isKept(key, world)) this.#options.keeper?.committing(this.name, world, commit)
      this.logins.endWith(commit, world)
      const isStep = world.cause !== undefined || this.#histories.has(key)
      if (isStep && this.#worlds.get(key)?.data === data) {
        const { name, time } = momentOf(world)
        this.#historyOf(key).committing({ name, time, data }, commit, world.cause)
      }
    })
    this.#following.get(data)?.()
    this.#following.set(
      data,
      data.onCommit((commit) => this.#commits.notify(world, commit)),
    )
  }

  /** The history of the world with this name. It begins when it is first asked for. */
  #historyOf(key: string): History {
    const existing = this.#histories.get(key)
    if (existing !== undefined) return existing
    const began = this.#worlds.get(key)?.startedAt ?? createClock(this.#options.now).epoch()
    const history = new History(key, began, () => ++this.#lastCommit, this.#historyBudget)
    this.#histories.set(key, history)
    return history
  }

  /** A step that gives all worlds up, and switches to some scenarios. */
  #stepOfAll(cause: Cause, names: readonly string[], run: () => void): void {
    const from = this.#switchedTo.join(',')
    this.#step(cause, from, [...this.#worlds.keys(), from, names.join(',')], () => {
      run()
      this.#worlds.clear()
      this.#newest = undefined
      this.#histories.clear()
      this.#switchedTo = names
    })
    this.#tellSwitch()
  }

  /**
   * A step in the history of a world that exchanges worlds: `keys` are the names of all that may change. Worlds that are
   * given up stay as they are, so to undo it, they only have to be put back.
   */
  #step(cause: Cause, from: string, keys: readonly string[], run: () => void): void {
    const history = this.#historyOf(from)
    const clock = this.#worlds.get(from)?.clock ?? createClock(this.#options.now)
    const time = clock.epoch()
    let other = this.#place(keys)
    run()
    const key = keys.at(-1) ?? from
    if (key !== from) this.#histories.delete(from)
    this.#histories.set(key, history)
    let weight = 0
    for (const [name, world] of other.worlds) {
      if (world !== undefined && world !== this.#worlds.get(name)) weight += WORLD_WEIGHT + world.data.size
    }
    const switches = other.switchedTo !== this.#switchedTo
    const flip = () => {
      const now = this.#place(keys)
      this.#take(other, history)
      if (switches) this.#switchedTo = other.switchedTo
      other = now
    }
    const forget = () => {
      for (const [name, left] of other.histories) {
        if (left !== history && left !== this.#histories.get(name)) left?.clear()
      }
    }
    history.done({ name: key, time }, cause, weight, { flip, forget })
  }

  #place(keys: readonly string[]): Place {
    return {
      switchedTo: this.#switchedTo,
      worlds: new Map(keys.map((key) => [key, this.#worlds.get(key)])),
      histories: new Map(keys.map((key) => [key, this.#histories.get(key)])),
      kept: new Set(this.#options.keeper?.kept(this.name).keys()),
    }
  }

  #take({ worlds, histories, kept }: Place, travelling: History): void {
    const { keeper } = this.#options
    if (keeper !== undefined && kept.size === 0) keeper.forget(this.name)
    for (const [key, world] of worlds) {
      const history = histories.get(key)
      const own = this.#histories.get(key)
      // What was written to a world after the session had left it is undone as well.
      const isBeside = own !== history && own !== travelling
      if (isBeside && world !== undefined && world === this.#worlds.get(key)) own?.goTo(0)
      if (history === undefined) this.#histories.delete(key)
      else this.#histories.set(key, history)
      if (world === undefined) this.#worlds.delete(key)
      else this.#open(key, world)
      if (world !== undefined && kept.has(key)) keeper?.keep(this.name, world)
    }
    this.#newest = undefined
  }

  #travel(history: History, at: number): true {
    try {
      history.goTo(at)
    } finally {
      this.#tellSwitch()
    }
    return true
  }

  /** With a keeper, a world that starts again goes on with its data, so that requests under way lose nothing either. */
  #kept(key: string): KeptWorld | undefined {
    const { keeper } = this.#options
    if (keeper === undefined) return undefined
    const running = this.#worlds.get(key)
    const isReady = running !== undefined && running.loading === undefined
    return isReady ? { data: running.data } : keeper.resume(this.name, key)
  }

  /** What a scenario generates need not be kept, nor what a request still writes to a world that was reset. */
  #isKept(key: string, world: World): boolean {
    return this.#worlds.get(key)?.data === world.data && world.loading === undefined
  }

  #keptSwitch(): readonly string[] {
    const { keeper, catalogue, defaultScenario } = this.#options
    const names = keeper?.activeScenarios(this.name)
    return names?.every((name) => catalogue.has(name)) ? names : defaultScenario
  }

  /** Tells everyone who follows the session what it is switched to now, and that its worlds may be others. */
  #tellSwitch(): void {
    const names = this.#switchedTo
    const isDefault = names.join(',') === this.#options.defaultScenario.join(',')
    this.#options.keeper?.switched(this.name, isDefault ? undefined : names)
    this.#switches.notify(names)
  }
}

function momentOf({ name, clock }: World): { name: string; time: number } {
  return { name, time: clock.epoch() }
}
