import type { Cache } from '../../service/store/cache.js'
import type { Contents, Replacement } from '../../service/store/database.js'
import type { Commit } from '../../service/store/table.js'
import { type Clock, createClock } from '../../support/clock.js'
import { none } from '../../support/freeze.js'
import { createIds, type Ids } from '../../support/ids.js'
import { listFaults, sentence } from '../../support/text.js'
import { MockError } from '../errors/mock-errors.js'
import type { Composition } from '../scenarios/catalogue.js'
import { ForceRules } from '../scenarios/force-rules.js'
import type { Latency } from '../scenarios/scenario.js'
import { differenceOf } from '../state/difference.js'
import { loadState } from '../state/load-state.js'
import { type State, takeSnapshot, WorldData } from '../state/state.js'
import type { CoverageCounter } from './flag-coverage.js'
import { Logins } from './logins.js'
import {
  type Generate,
  loadGiven,
  nameOf,
  type Origin,
  type SourcedFixture,
  type Start,
  type Started,
  startFrom,
} from './start.js'
import type { Cause, Setting, WorldChange, WorldPosition } from './steps.js'

/** The start options of all worlds of an instance, in any scenario. */
export interface WorldOptions {
  /** The flag coverage of the mock. */
  coverage: CoverageCounter
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
  /** Called for each change with a cause. */
  onStep?(cause: Cause, world: World, change: WorldChange): void
}

/** The saved state of a world. Without a position, its clock, IDs and rules start over. */
export interface KeptWorld {
  /** Undefined if it is unchanged since its start. */
  data?: WorldData | undefined
  position?: WorldPosition | undefined
  /** The hash of the sources of its data. */
  madeFrom?: Start['hash'] | undefined
  /** Whether only reports have changed the data, such as metrics. */
  isUntouched?: boolean | undefined
}

/** The settings of a world before a restart, and a title that tells more than the cause's. */
interface Restart {
  from: Setting
  title?: string
}

/** A running scenario: its data, clock, IDs and rules. It lives as long as its session. */
export class World {
  /** The comma-separated names of its scenarios. */
  readonly name: string
  readonly clock: Clock
  readonly data: WorldData
  readonly rules = new ForceRules()
  readonly logins: Logins
  ids: Ids
  composition: Composition
  origin: Origin
  /** Settles when generated data has loaded. Undefined without generated data, or after loading. */
  loading: Promise<void> | undefined
  /** How often its data has started. */
  starts = 1
  readonly coverage: CoverageCounter
  /** The names of missing features that code enabled, disabled or gave a variant, and so created. */
  readonly created = new Set<string>()
  readonly #options: WorldOptions
  readonly #onStep: NonNullable<Surroundings['onStep']>
  #settingsAtStart = ''
  /** The cause of the running commit and, if it restarts the world, the settings before. */
  #change: ({ cause: Cause } & Partial<Restart>) | undefined

  /** Starts with the data of its scenarios, or resumes saved state. */
  constructor(composition: Composition, options: WorldOptions, surroundings: Surroundings = {}) {
    const { kept = {}, logins = new Logins(), onStep = () => undefined } = surroundings
    this.#options = options
    this.coverage = options.coverage
    this.#onStep = onStep
    this.name = composition.names.join(',')
    this.logins = logins
    this.composition = composition
    const start = this.#startOf(composition)
    this.clock = createClock(new Date(start.time))
    this.#startSettings(composition, start)
    const isOutdated = kept.isUntouched === true && kept.madeFrom?.() !== start.hash()
    if (kept.data !== undefined && !isOutdated) {
      this.data = kept.data
      const madeFrom = kept.madeFrom ?? start.hash
      this.origin = { start, madeFrom, isChanged: true, isTouched: kept.isUntouched !== true }
      this.ids = createIds(seedAfter(this.#seed, kept.data))
    } else {
      const started = start.load(options.generate)
      const isReady = !(started instanceof Promise)
      this.data = new WorldData(isReady ? started.contents : undefined)
      this.origin = originOf(start, isReady ? started.contents : undefined)
      this.ids = createIds(this.#seed, isReady ? started.ids : undefined)
      if (!isReady) this.#loadLater(start, started)
    }
    this.data.cache = options.cache ?? this.data.cache
    if (kept.position !== undefined) this.goTo(kept.position)
    this.data.guardWith((commit) => this.#committing(commit))
  }

  get latency(): Latency | undefined {
    return this.#options.latency ?? this.composition.latency
  }

  /** The start time, by its clock. */
  get startedAt(): number {
    return this.origin.start.time
  }

  /** The reason why its data comes from other files than a start would use now. Undefined if its data isn't outdated. */
  get outdated(): string | undefined {
    const { start, madeFrom, isTouched, misfit } = this.origin
    if (!isTouched || madeFrom === start.hash || madeFrom() === start.hash()) return undefined
    const files = start.fixtures.flatMap((fixture) => nameOf(fixture) ?? [])
    const reason = misfit ?? `Your files${files.length > 0 ? ` (${files.join(', ')})` : ''} changed.`
    return `${reason} Your data stays until you start over.`
  }

  /** This world, with loaded data. Throws `NOT_READY` while generated data is missing. */
  ready(): this {
    if (this.loading === undefined) return this
    throw new MockError(
      'NOT_READY',
      `The scenario "${this.name}" is still generating its data.`,
      'Await `mock.ready`, or send a request first.',
    )
  }

  /** Changes data as a step of the history. Sets the ID of the step, if it made one, in the cause. */
  change<Result>(cause: Cause, run: () => Result, restart?: Restart): Result {
    this.#change = { cause, ...restart }
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
    this.#onStep(cause, this, { from, to: position() })
    return result
  }

  /**
   * Loads the start of its scenarios, as a step of the history: clock and rules at once, data when it is available.
   * Throws, and changes nothing, if the data is invalid.
   */
  startAgain(composition: Composition, cause: Cause): void {
    const start = this.#startOf(composition)
    const started = start.load(this.#options.generate)
    const from = this.setting()
    this.starts++
    this.loading = undefined
    this.#startSettings(composition, start)
    if (started instanceof Promise) this.#loadLater(start, started, { cause, from })
    else this.#begin(start, started, { cause, from })
  }

  /**
   * Starts from changed files, with its own changes on top, as a step of the history. If they don't fit, or if its start
   * is unknown, the data stays unchanged, and `outdated` says so.
   */
  startBelowChanges(composition: Composition, cause: Cause, files: string): void {
    const start = this.#startOf(composition)
    const merged = this.#changesOn(start)
    if (merged === undefined || 'misfit' in merged) {
      this.restartSettings(composition, cause, `${files} changed${merged ? `, but ${merged.misfit}` : '.'}`)
    } else if (merged.count === 0) this.startAgain(composition, cause)
    else {
      const from = this.setting()
      const title = `${files} changed; ${merged.count} of your changes stayed`
      this.starts++
      this.#startSettings(composition, start)
      this.origin = { ...originOf(start, start.contents), isChanged: true, isTouched: true }
      this.change(cause, () => this.data.replaceBy(merged.contents), { from, title })
    }
  }

  /**
   * The records of a start with the world's own changes, and their number, or the reason why these don't fit. Undefined
   * if a start is unknown, or both are the same.
   */
  #changesOn(start: Start): { contents: Contents; count: number } | { misfit: string } | undefined {
    const { contents: before, madeFrom } = this.origin
    if (before === undefined || madeFrom() === start.hash()) return undefined
    const started = start.load(this.#options.generate)
    if (started instanceof Promise) return undefined
    const changes = differenceOf(new WorldData(before), this.data, this.startedAt)
    const count = Object.values(changes).reduce((sum, ofKind) => sum + Object.keys(ofKind).length, 0)
    const data = new WorldData(started.contents)
    try {
      const options = { now: this.clock.now(), ids: this.ids, source: 'The difference', replacesAll: false }
      loadState(data, changes, options)
    } catch (error) {
      if (!(error instanceof MockError)) throw error
      return { misfit: sentence(`your changes don't fit: ${listFaults(error.faults)}`) }
    }
    const events = this.data.contents().get('events')
    return { contents: new Map([...data.contents(), ...(events ? [['events', events] as const] : [])]), count }
  }

  #loadLater(start: Start, started: Promise<Started>, step?: { cause: Cause; from: Setting }): void {
    const number = this.starts
    this.loading = started.then((made) => (this.starts === number ? this.#begin(start, made, step) : this.loading))
    // The failure reaches whoever awaits the promise. Unhandled, it must not end the process.
    this.loading.catch(() => undefined)
  }

  #begin(start: Start, { contents, ids }: Started, step?: { cause: Cause; from: Setting }): void {
    this.loading = undefined
    this.ids = createIds(this.#seed, ids)
    this.origin = originOf(start, contents)
    const load = () => this.data.replaceBy(contents)
    if (step === undefined) load()
    else this.change(step.cause, load, { from: step.from })
  }

  /** Restarts the clock and the rules, as a step of the history. */
  restartSettings(composition: Composition, cause: Cause, misfit?: string): void {
    const from = this.setting()
    const start = this.#startOf(composition)
    this.origin = { ...this.origin, start, ...(misfit !== undefined && { misfit }) }
    this.#startSettings(composition, start)
    this.#onStep(cause, this, { from, to: this.setting() })
  }

  /** Replaces everything by a snapshot, as a step of the history. Throws `INVALID_STATE`, and changes nothing, if it is invalid. */
  replaceState(given: unknown): void {
    const cause = { what: 'restore', title: 'The data was replaced' }
    this.#load(given, cause, { source: 'The snapshot', replacesAll: true })
  }

  /** Adds seed data, or an export file of Unleash, as `replaceState` does. */
  addState(given: unknown): void {
    const cause = { what: 'add', title: 'Records were added' }
    this.#load(given, cause, { source: 'The state', replacesAll: false })
  }

  #load(given: unknown, cause: Cause, options: { source: string; replacesAll: boolean }): void {
    this.ready().change(cause, () =>
      loadGiven(
        given,
        options,
        () => this.snapshot(),
        (state, how) => loadState(this.data, state, { now: this.clock.now(), ids: this.ids, ...how }),
      ),
    )
  }

  snapshot(): State {
    return takeSnapshot(this.data)
  }

  /** A commit is about to be final. */
  #committing(commit: Commit | Replacement): void {
    const isStart = 'after' in commit && commit.after === this.origin.contents
    const isTouched = this.origin.isTouched || (!isStart && this.#change !== undefined)
    if (!isStart && (!this.origin.isChanged || isTouched !== this.origin.isTouched)) {
      this.origin = { ...this.origin, isChanged: true, isTouched }
    }
    if (this.#change === undefined) return
    const { cause, ...restart } = this.#change
    this.#onStep(cause, this, restart.from === undefined ? { commit } : { commit, ...restart, to: this.setting() })
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
    return { ...this.position(), composition: this.composition, origin: this.origin }
  }

  /** Restores some of its settings. */
  goTo({ clock, rules, ids, composition, origin }: Setting): void {
    this.composition = composition ?? this.composition
    this.origin = origin ?? this.origin
    if (clock !== undefined) this.clock.goTo(clock)
    if (rules !== undefined) this.rules.goTo(rules, this.composition.force)
    if (ids !== undefined) this.ids = createIds(this.#seed, ids)
  }

  #startOf(composition: Composition): Start {
    const { now, seed, fixtures } = this.#options
    const idSeed = this.#seed
    return startFrom({ composition, fixtures: composition.fixtures ? fixtures : none, now, seed, idSeed })
  }

  #startSettings(composition: Composition, { time }: Start): void {
    const isFrozen = this.#options.now !== undefined || composition.now !== undefined
    this.composition = composition
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

function originOf(start: Start, contents: Contents | undefined): Origin {
  return { start, ...(contents && { contents }), madeFrom: start.hash, isChanged: false, isTouched: false }
}

/** A seed for data that already contains IDs from the first seed, so that no ID is used twice. */
function seedAfter(seed: WorldOptions['seed'], data: WorldData): WorldOptions['seed'] {
  return seed === undefined ? undefined : `${seed}/${data.tables.events.nextId}`
}
