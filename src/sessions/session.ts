import type { Catalogue, Composition } from '../scenarios/catalogue.js'
import { Journal } from './journal.js'
import { World, type WorldOptions } from './world.js'

/** Worlds that a session keeps; the longest unused goes first, but never the one it is switched to. */
const WORLDS_KEPT = 32

export interface SessionOptions extends WorldOptions {
  catalogue: Catalogue
  defaultScenario: readonly string[]
  journalSize: number
}

/** One user of an instance: the scenario that they are switched to, their worlds, their journal. */
export class Session {
  readonly name: string
  readonly journal: Journal
  readonly #options: SessionOptions
  readonly #worlds = new Map<string, World>()
  readonly #listeners = new Set<(names: readonly string[]) => void>()
  readonly #changeListeners = new Set<() => void>()
  #switchedTo: readonly string[]

  constructor(name: string, options: SessionOptions) {
    this.name = name
    this.#options = options
    this.#switchedTo = options.defaultScenario
    this.journal = new Journal(options.journalSize)
  }

  /** The names of the scenarios that it is switched to. */
  get switchedTo(): readonly string[] {
    return this.#switchedTo
  }

  /** The scenarios of each world that there is, the longest unused first. */
  get worlds(): string[] {
    return [...this.#worlds.keys()]
  }

  /** The world of some scenarios, made on first use; without names, of those it is switched to. */
  world(names: readonly string[] = this.#switchedTo): World {
    const key = names.join(',')
    const existing = this.#worlds.get(key)
    if (existing !== undefined) {
      this.#worlds.delete(key)
      this.#worlds.set(key, existing)
      return existing
    }
    return this.#start(key, this.#options.catalogue.compose(names))
  }

  /** Switches to scenarios and starts their world afresh. Throws, and changes nothing, if one is unknown. */
  switchTo(names: readonly string[]): void {
    const composition = this.#options.catalogue.compose(names)
    this.#start(names.join(','), composition)
    this.#switch(names)
  }

  /** Switches to what it started with, whose world starts afresh. */
  switchBack(): void {
    this.switchTo(this.#options.defaultScenario)
  }

  /** Starts the world of some scenarios afresh, without switching to it. */
  restart(names: readonly string[]): void {
    this.#start(names.join(','), this.#options.catalogue.compose(names))
  }

  /** All worlds start afresh when they are next used. The journal stays, and the switch if its scenarios are still there. */
  restartAll(): void {
    this.#worlds.clear()
    const { catalogue, defaultScenario } = this.#options
    this.#switch(this.#switchedTo.every((name) => catalogue.has(name)) ? this.#switchedTo : defaultScenario)
  }

  /** Everything as at the start: no world is kept, nor the journal, nor the switch. */
  reset(): void {
    this.#worlds.clear()
    this.journal.clear()
    this.#switch(this.#options.defaultScenario)
  }

  /** Calls back after each switch and each reset; the answer ends that. */
  onSwitch(listener: (names: readonly string[]) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Calls back after each change of the data in any of its worlds, and when one starts; the answer ends that. */
  onChange(listener: () => void): () => void {
    this.#changeListeners.add(listener)
    return () => this.#changeListeners.delete(listener)
  }

  #start(key: string, composition: Composition): World {
    const world = new World(composition, this.#options)
    world.store.onChange(() => this.#notifyOfChange())
    this.#worlds.delete(key)
    this.#worlds.set(key, world)
    const current = this.#switchedTo.join(',')
    for (const oldest of this.#worlds.keys()) {
      if (this.#worlds.size <= WORLDS_KEPT) break
      if (oldest !== current && oldest !== key) this.#worlds.delete(oldest)
    }
    return world
  }

  #notifyOfChange(): void {
    for (const listener of this.#changeListeners) listener()
  }

  #switch(names: readonly string[]): void {
    this.#switchedTo = names
    for (const listener of this.#listeners) listener(names)
    this.#notifyOfChange()
  }
}
