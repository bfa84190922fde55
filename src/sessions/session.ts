import type { EventRecord } from '../resources/instance/events.js'
import type { Catalogue, Composition } from '../scenarios/catalogue.js'
import type { WorldData } from '../state/state.js'
import type { Commit } from '../store/table.js'
import { Listeners } from '../support/listeners.js'
import { Journal, type JournalBudget } from './journal.js'
import type { Keeper } from './keeper.js'
import { Logins } from './logins.js'
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
  readonly #commits = new Listeners<[world: World, commit: Commit<EventRecord>]>()
  #switchedTo: readonly string[]
  /** The world used last. */
  #newest: World | undefined

  constructor(name: string, options: SessionOptions, budget: JournalBudget) {
    this.name = name
    this.#options = options
    this.#switchedTo = this.#keptSwitch()
    this.journal = new Journal(options.journalSize, budget)
  }

  get catalogue(): Catalogue {
    return this.#options.catalogue
  }

  /** The names of the scenarios that it is switched to. */
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
    this.#switchedTo = this.#keptSwitch()
  }

  /** Switches to scenarios and restarts their world. Throws, and changes nothing, if one is unknown. */
  switchTo(names: readonly string[]): void {
    this.restart(names)
    this.#switch(names)
  }

  /** Switches back to the default scenario and restarts its world. */
  switchBack(): void {
    this.switchTo(this.#options.defaultScenario)
  }

  /** Restarts the world of the given scenarios, without switching to it. A keeper may have its data stay. */
  restart(names: readonly string[]): void {
    const key = names.join(',')
    const stays = this.#options.keeper?.outlivesRestarts === true
    this.#start(key, this.catalogue.compose(names), stays ? this.#kept(key) : undefined)
  }

  /** Restarts all worlds. The journal stays, and so does the switch if its scenarios still exist. */
  restartAll(): void {
    for (const world of this.#worlds.values()) this.logins.leave(world)
    this.#worlds.clear()
    const { catalogue, defaultScenario } = this.#options
    this.#switch(this.#switchedTo.every((name) => catalogue.has(name)) ? this.#switchedTo : defaultScenario)
  }

  /** Restarts all worlds, empties the journal and switches back to the default scenario. */
  reset(): void {
    this.#worlds.clear()
    this.logins.clear()
    this.#options.keeper?.forget(this.name)
    this.journal.clear()
    this.#switch(this.#options.defaultScenario)
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
    if (this.#newest === world) this.#newest = undefined
  }

  /** Calls back after each switch and each reset. Returns a function that unsubscribes. */
  onSwitch(listener: (names: readonly string[]) => void): () => void {
    return this.#switches.add(listener)
  }

  /** Calls back after each commit in any of its worlds. Returns a function that unsubscribes. */
  onCommit(listener: (world: World, commit: Commit<EventRecord>) => void): () => void {
    return this.#commits.add(listener)
  }

  #start(key: string, composition: Composition, kept: KeptWorld | undefined): World {
    const restarted = this.#worlds.get(key)
    if (restarted !== undefined) this.logins.leave(restarted)
    const world = new World(composition, this.#options, { kept, logins: this.logins })
    world.data.guardWith((commit) => {
      if (this.#isKept(key, world)) this.#options.keeper?.committing(this.name, world, commit)
      this.logins.endWith(commit, world)
    })
    this.#following.get(world.data)?.()
    this.#following.set(
      world.data,
      world.data.onCommit((commit) => this.#commits.notify(world, commit)),
    )
    this.#worlds.delete(key)
    this.#worlds.set(key, world)
    this.#newest = world
    const current = this.#switchedTo.join(',')
    for (const [oldest, dropped] of this.#worlds) {
      if (this.#worlds.size <= WORLDS_KEPT) break
      if (oldest === current || oldest === key) continue
      this.logins.leave(dropped)
      this.#worlds.delete(oldest)
    }
    return world
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

  #switch(names: readonly string[]): void {
    this.#switchedTo = names
    const isDefault = names.join(',') === this.#options.defaultScenario.join(',')
    this.#options.keeper?.switched(this.name, isDefault ? undefined : names)
    this.#switches.notify(names)
  }
}
