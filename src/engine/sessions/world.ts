import { fixtureInstant } from '../../service/resources/shared/schema.js'
import type { Cache } from '../../service/store/cache.js'
import type { Contents } from '../../service/store/database.js'
import { Clock, createClock, realTime } from '../../support/clock.js'
import { none } from '../../support/freeze.js'
import { createIds, type Ids } from '../../support/ids.js'
import { MockError } from '../errors/mock-errors.js'
import type { Composition } from '../scenarios/catalogue.js'
import { ForceRules } from '../scenarios/force-rules.js'
import type { Latency } from '../scenarios/scenario.js'
import { loadState } from '../state/load-state.js'
import { type State, takeSnapshot, WorldData } from '../state/state.js'
import { History } from './history.js'
import { Logins } from './logins.js'
import { type Generate, hashOfStart, loadGiven, loadStart, type SourcedFixture, type Start } from './start.js'
import type { Cause, Setting, StepChange, WorldPosition } from './steps.js'

/** The start options of all worlds of an instance, in any scenario. */
export interface WorldOptions {
  seed?: string | number | undefined
  /** Freezes the clock. Takes precedence over a scenario's own date. */
  now?: Date | undefined
  /** The data below every scenario's data, each with the name of its source. */
  fixtures: readonly SourcedFixture[]
  /** Takes precedence over a scenario's own. */
  latency?: Latency | undefined
  generate: Generate
  cache?: Cache | undefined
}

/** A new world's links to its session. */
interface Surroundings {
  /** Undefined if it starts with the data of its scenarios. */
  kept?: KeptWorld | undefined
  logins?: Logins
  /** Returns the next entry ID: of a step with the given change, or of a start. */
  nextMoment?: (change?: StepChange) => number
}

/** The saved state of a world. Without a position, its clock, IDs and rules start over. */
export interface KeptWorld {
  /** Undefined if it is unchanged since its start. */
  data?: WorldData | undefined
  position?: WorldPosition | undefined
  /** The hash of the sources of its data. */
  madeFrom?: Start['hash'] | undefined
}

/** A running scenario: its data, clock, IDs, response overrides and history. It lives as long as its session. */
export class World {
  /** The comma-separated names of its scenarios. */
  readonly name: string
  readonly clock: Clock
  readonly data: WorldData
  readonly rules = new ForceRules()
  readonly logins: Logins
  readonly history: History
  ids: Ids
  /** Settles when generated data has loaded. Undefined without generated data, or after loading. */
  loading: Promise<void> | undefined
  /** How often its data has started. */
  starts = 0
  /** Whether its data has changed since it started. */
  isTouched: boolean
  /** Whether its start data is being loaded. */
  isStarting = false
  readonly #options: WorldOptions
  #start: Start
  /** The hash of the sources of its data: it differs from its start's if files have changed since. */
  #madeFrom: Start['hash']
  #settingsAtStart = ''
  /** The cause of the running commit and, if it restarts the world, the settings before. */
  #change: { cause: Cause; from?: Setting } | undefined

  /** Starts with the data of its scenarios, or resumes saved state. */
  constructor(composition: Composition, options: WorldOptions, surroundings: Surroundings = {}) {
    const { kept, logins = new Logins(), nextMoment } = surroundings
    this.#options = options
    this.name = composition.names.join(',')
    this.logins = logins
    this.data = kept?.data ?? new WorldData()
    this.data.cache = options.cache ?? this.data.cache
    this.isTouched = kept?.data !== undefined
    const position = kept?.position
    this.#start = this.#startOf(composition)
    this.#madeFrom = kept?.madeFrom ?? this.#start.hash
    this.clock = position === undefined ? createClock(new Date(this.#start.time)) : new Clock(position.clock)
    this.ids = createIds(kept?.data === undefined ? this.#seed : seedAfter(this.#seed, kept.data), position?.ids)
    if (kept?.data === undefined) this.startAgain(composition)
    else this.#startSettings(this.#start)
    if (position !== undefined) this.goTo(position)
    this.history = new History(this, nextMoment)
  }

  get composition(): Composition {
    return this.#start.composition
  }

  get latency(): Latency | undefined {
    return this.#options.latency ?? this.composition.latency
  }

  /** The start time, by its clock. */
  get startedAt(): number {
    return this.#start.time
  }

  get madeFrom(): Start['hash'] {
    return this.#madeFrom
  }

  /** Whether its data was changed, and came from other files than a start would use now. */
  get filesChanged(): boolean {
    const { hash } = this.#start
    return this.isTouched && this.#madeFrom !== hash && this.#madeFrom() !== hash()
  }

  /** Treats its data as if it came from the current files. */
  keepData(): void {
    this.#madeFrom = this.#start.hash
  }

  /** Its start data. Undefined while it is generated, and for saved state. */
  get startedWith(): Contents | undefined {
    return this.#start.contents
  }

  get fixtures(): readonly SourcedFixture[] {
    return this.#start.fixtures
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

  get changing(): { cause: Cause; from?: Setting } | undefined {
    return this.#change
  }

  /** Changes data as a step of the history. Sets the ID of the step, if it made one, in the cause. */
  change<Result>(cause: Cause, run: () => Result, from?: Setting): Result {
    this.#change = { cause, ...(from && { from }) }
    try {
      return run()
    } finally {
      this.#change = undefined
    }
  }

  /** Changes the clock or the rules, as a step of the history. */
  set<Result>(cause: Cause, setting: 'clock' | 'rules', run: () => Result): Result {
    const position = (): Setting => ({ [setting]: this[setting].position() })
    const from = position()
    const result = run()
    this.history.done(cause, { from, to: position() })
    return result
  }

  /**
   * Loads the start of its scenarios: clock, rules and IDs at once, data when it is available. With a cause, the
   * start is a step of the history. Throws, and changes nothing, if the data is invalid.
   */
  startAgain(composition: Composition, cause?: Cause): void {
    const start = this.#startOf(composition)
    const ids = createIds(this.#seed)
    const contents = loadStart(start, { ids, generate: this.#options.generate })
    const from = cause === undefined ? undefined : this.setting()
    const number = ++this.starts
    this.ids = ids
    this.#startSettings(start)
    const begin = (contents: Contents) => {
      this.loading = undefined
      this.#start = { ...start, contents }
      this.isTouched = false
      this.#madeFrom = start.hash
      this.isStarting = true
      const load = () => this.data.replaceBy(contents)
      try {
        if (cause === undefined) load()
        else this.change(cause, load, from)
      } finally {
        this.isStarting = false
      }
    }
    if (!(contents instanceof Promise)) begin(contents)
    else {
      this.loading = contents.then((made) => (this.starts === number ? begin(made) : this.loading))
      // The failure reaches whoever awaits the promise. Unhandled, it must not end the process.
      this.loading.catch(() => undefined)
    }
  }

  /** Restarts the clock and the rules, as a step of the history. */
  restartSettings(composition: Composition, cause: Cause): void {
    const from = this.setting()
    this.#startSettings(this.#startOf(composition))
    this.history.done(cause, { from, to: this.setting() })
  }

  /**
   * Replaces everything by seed data, or adds to it. Added data can be an export file of Unleash. Throws `INVALID_STATE`,
   * and changes nothing, if it is invalid.
   */
  load(given: unknown, options: { source: string; replacesAll: boolean }): void {
    loadGiven(
      given,
      options,
      () => this.snapshot(),
      (state, how) => loadState(this.data, state, { now: this.clock.now(), ids: this.ids, ...how }),
    )
  }

  snapshot(): State {
    return takeSnapshot(this.data)
  }

  position(): WorldPosition {
    return { clock: this.clock.position(), ids: this.ids.position(), rules: this.rules.position() }
  }

  /** Whether its clock or its rules differ from its start. */
  get isSet(): boolean {
    return this.#settings() !== this.#settingsAtStart
  }

  /** Everything besides its data that a start changes. */
  setting(): Setting {
    return { ...this.position(), start: this.#start, isTouched: this.isTouched, madeFrom: this.#madeFrom }
  }

  /** Restores some of its settings. */
  goTo({ clock, rules, ids, start, isTouched, madeFrom }: Setting): void {
    this.#start = start ?? this.#start
    this.isTouched = isTouched ?? this.isTouched
    this.#madeFrom = madeFrom ?? this.#madeFrom
    if (clock !== undefined) this.clock.goTo(clock)
    if (rules !== undefined) this.rules.goTo(rules, this.composition.force)
    if (ids !== undefined) this.ids = createIds(this.#seed, ids)
  }

  #startOf(composition: Composition): Start {
    const { now, seed } = this.#options
    const fixtures = composition.fixtures ? this.#options.fixtures : none
    const real = realTime()
    const own = composition.now === undefined ? real : Date.parse(fixtureInstant(composition.now, new Date(real)))
    let made: string | undefined
    const hash = () => (made ??= hashOfStart(composition, fixtures, seed))
    return { composition, time: now?.getTime() ?? own, fixtures, hash }
  }

  #startSettings(start: Start): void {
    const { now } = this.#options
    const { composition, time } = start
    const isFrozen = now !== undefined || composition.now !== undefined
    this.#start = start
    this.clock.goTo(isFrozen ? { frozenAt: time } : { offset: 0 })
    this.rules.goTo({ rules: [], lastId: 0 }, none)
    for (const rule of composition.force) this.rules.add(rule)
    this.#settingsAtStart = this.#settings()
  }

  #settings(): string {
    return JSON.stringify([this.clock.position(), this.rules.position().rules])
  }

  /** A login is valid in all worlds of a session, so no two worlds can give it the same secret. */
  get #seed(): WorldOptions['seed'] {
    const { seed } = this.#options
    return seed === undefined || this.name === 'default' ? seed : `${seed}/${this.name}`
  }
}

/** A seed for data that already contains IDs from the first seed, so that no ID is used twice. */
function seedAfter(seed: WorldOptions['seed'], data: WorldData): WorldOptions['seed'] {
  return seed === undefined ? undefined : `${seed}/${data.tables.events.nextId}`
}
