import type { EventRecord } from '../resources/instance/events/schema.js'
import type { Catalogue, Composition } from '../scenarios/catalogue.js'
import type { Commit } from '../store/commit.js'
import { Listeners } from '../support/listeners.js'
import { Journal } from './journal.js'
import { World, type WorldOptions } from './world.js'

/** Worlds that a session keeps. The least recently used is dropped first, but never the one it is switched to. */
export const WORLDS_KEPT = 32

export interface SessionOptions extends WorldOptions {
  catalogue: Catalogue
  defaultScenario: readonly string[]
  journalSize: number
}

/** One user of an instance: the scenarios that they are switched to, their worlds, their journal. */
export class Session {
  readonly name: string
  readonly journal: Journal
  readonly #options: SessionOptions
  readonly #worlds = new Map<string, World>()
  readonly #switches = new Listeners<[names: readonly string[]]>()
  readonly #commits = new Listeners<[world: World, commit: Commit<EventRecord>]>()
  #switchedTo: readonly string[]

  constructor(name: string, options: SessionOptions) {
    this.name = name
    this.#options = options
    this.#switchedTo = options.defaultScenario
    this.journal = new Journal(options.journalSize)
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

  /** The world of the given scenarios, created on first use. Default: the scenarios that it is switched to. */
  world(names: readonly string[] = this.#switchedTo): World {
    const key = names.join(',')
    const existing = this.#worlds.get(key)
    if (existing !== undefined) {
      this.#worlds.delete(key)
      this.#worlds.set(key, existing)
      return existing
    }
    return this.#start(key, this.catalogue.compose(names))
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

  /** Restarts the world of the given scenarios, without switching to it. */
  restart(names: readonly string[]): void {
    this.#start(names.join(','), this.catalogue.compose(names))
  }

  /** Restarts all worlds. The journal stays, and so does the switch if its scenarios still exist. */
  restartAll(): void {
    this.#worlds.clear()
    const { catalogue, defaultScenario } = this.#options
    this.#switch(this.#switchedTo.every((name) => catalogue.has(name)) ? this.#switchedTo : defaultScenario)
  }

  /** Restarts all worlds, empties the journal and switches back to the default scenario. */
  reset(): void {
    this.#worlds.clear()
    this.journal.clear()
    this.#switch(this.#options.defaultScenario)
  }

  /** Calls back after each switch and each reset. Returns a function that unsubscribes. */
  onSwitch(listener: (names: readonly string[]) => void): () => void {
    return this.#switches.add(listener)
  }

  /** Calls back after each commit in any of its worlds. Returns a function that unsubscribes. */
  onCommit(listener: (world: World, commit: Commit<EventRecord>) => void): () => void {
    return this.#commits.add(listener)
  }

  #start(key: string, composition: Composition): World {
    const world = new World(composition, this.#options)
    world.data.onCommit((commit) => this.#commits.notify(world, commit))
    this.#worlds.delete(key)
    this.#worlds.set(key, world)
    const current = this.#switchedTo.join(',')
    for (const oldest of this.#worlds.keys()) {
      if (this.#worlds.size <= WORLDS_KEPT) break
      if (oldest !== current && oldest !== key) this.#worlds.delete(oldest)
    }
    return world
  }

  #switch(names: readonly string[]): void {
    this.#switchedTo = names
    this.#switches.notify(names)
  }
}
