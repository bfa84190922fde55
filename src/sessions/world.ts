import { MockError } from '../contract/mock-errors.js'
import { fixtureInstant } from '../resources/shared/schema.js'
import type { Composition } from '../scenarios/catalogue.js'
import { ForceRules } from '../scenarios/force-rule.js'
import type { Generate, Latency } from '../scenarios/scenario.js'
import type { PartialState } from '../store/state.js'
import { Store } from '../store/store.js'
import { type Clock, createClock } from '../support/clock.js'
import { createIds, type Ids } from '../support/ids.js'

/** What all worlds of an instance start with, whatever their scenario. */
export interface WorldOptions {
  seed?: string | number | undefined
  /** Freezes the clock; it goes before a scenario's own date. */
  now?: Date | undefined
  /** Added to the scenario's data, each with where it comes from. */
  fixtures: readonly { state: PartialState; source: string }[]
  /** Goes before a scenario's own. */
  latency?: Latency | undefined
  generate: (what: Generate, now: Date) => Promise<Iterable<PartialState>>
}

/** One world: a scenario, come to life. Its data, its clock, its chance, its force rules. */
export class World {
  readonly composition: Composition
  readonly clock: Clock
  readonly ids: Ids
  readonly store = new Store()
  readonly rules = new ForceRules()
  readonly latency: Latency | undefined
  /** Settled when generated data is in place; undefined where there is none, or it is there. */
  loading: Promise<void> | undefined

  constructor(composition: Composition, options: WorldOptions) {
    this.composition = composition
    this.latency = options.latency ?? composition.latency
    this.clock = createClock(options.now ?? startOf(composition))
    this.ids = createIds(options.seed)
    for (const rule of composition.force) this.rules.add(rule)
    for (const seed of composition.seeds) this.#loadSeed(seed)
    if (composition.generate.length === 0) this.#load(options.fixtures)
    else {
      this.loading = this.#generate(options)
      // Whoever awaits it is told; if nobody does, that must not end the process.
      this.loading.catch(() => undefined)
    }
  }

  /** The names of its scenarios, joined by commas. */
  get name(): string {
    return this.composition.names.join(',')
  }

  /** Throws `NOT_READY` while generated data is missing. */
  assertReady(): void {
    if (this.loading === undefined) return
    throw new MockError(
      'NOT_READY',
      `The scenario "${this.name}" is still generating its data.`,
      'Await `mock.ready`, or send a request first.',
    )
  }

  async #generate({ generate, fixtures }: WorldOptions): Promise<void> {
    for (const what of this.composition.generate) {
      for (const batch of await generate(what, this.clock.now())) this.#loadSeed(batch)
    }
    this.#load(fixtures)
    this.loading = undefined
  }

  #loadSeed(state: PartialState): void {
    this.#load([{ state, source: `The scenario "${this.name}"` }], true)
  }

  #load(states: WorldOptions['fixtures'], checked = false): void {
    for (const { state, source } of states) {
      this.store.load(state, { now: this.clock.now(), ids: this.ids, source, checked, replaceAll: false })
    }
  }
}

function startOf({ now }: Composition): Date | undefined {
  return now === undefined ? undefined : new Date(fixtureInstant(now, createClock().now()))
}
