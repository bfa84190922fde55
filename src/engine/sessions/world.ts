import type { Contents, Replacement } from '../../service/store/database.js'
import type { Commit } from '../../service/store/table.js'
import { type Clock, createClock } from '../../support/clock.js'
import { none } from '../../support/freeze.js'
import { createIds, type Ids } from '../../support/ids.js'
import { MockError } from '../errors/mock-errors.js'
import type { Composition } from '../scenarios/catalogue.js'
import { ForceRules } from '../scenarios/force-rules.js'
import type { Latency } from '../scenarios/scenario.js'
import { type State, takeSnapshot, WorldData } from '../state/state.js'
import type { SavedWorld } from './keeper.js'
import { Logins } from './logins.js'
import { changesOn, type Origin, originOf, whyOutdated } from './origin.js'
import { idSeedOf, type Start, seedAfter, startOf, type WorldOptions } from './start.js'
import type { Cause, Setting, WorldChange, WorldPosition } from './steps.js'

/** A new world's links to its session. */
interface Surroundings {
  /** Undefined if it starts with the data of its scenarios. */
  saved?: SavedWorld | undefined
  logins?: Logins
  /** Called for each change with a cause. */
  onStep?(cause: Cause, world: World, change: WorldChange): void
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
  /** The names of missing features that code enabled, disabled or gave a variant, and so created. */
  readonly created = new Set<string>()
  readonly #options: WorldOptions
  readonly #onStep: NonNullable<Surroundings['onStep']>
  #settingsAtStart = ''
  readonly #seed: WorldOptions['seed']
  /** The cause of the running commit and, if it restarts the world, the settings before. */
  #change: ({ cause: Cause } & Pick<WorldChange, 'from' | 'title'>) | undefined

  /** Starts with the data of its scenarios, or resumes saved state. */
  constructor(composition: Composition, options: WorldOptions, surroundings: Surroundings = {}) {
    const { saved = {}, logins = new Logins(), onStep = () => undefined } = surroundings
    this.#options = options
    this.#onStep = onStep
    this.name = composition.names.join(',')
    this.logins = logins
    this.composition = composition
    this.#seed = idSeedOf(this.name, options)
    const start = startOf(composition, this.#options, this.#seed)
    this.clock = createClock(new Date(start.time))
    this.#startSettings(composition, start)
    const isOutdated = saved.isUntouched === true && saved.madeFrom?.() !== start.hash()
    if (saved.data !== undefined && !isOutdated) {
      this.data = saved.data
      const madeFrom = saved.madeFrom ?? start.hash
      this.origin = { start, madeFrom, isChanged: true, isTouched: saved.isUntouched !== true }
      this.ids = createIds(seedAfter(this.#seed, saved.data))
    } else {
      const started = start.load(options.generate)
      const contents = started instanceof Promise ? undefined : started
      this.data = new WorldData(contents)
      this.origin = originOf(start, contents)
      this.ids = createIds(this.#seed)
      if (started instanceof Promise) this.#loadLater(started, (made) => this.#begin(start, made))
    }
    this.data.cache = options.cache ?? this.data.cache
    // The order matters: the position continues the IDs of the data, and none of this is a step of the history.
    if (saved.position !== undefined) this.goTo(saved.position)
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
    const { start, madeFrom, isTouched } = this.origin
    return isTouched && madeFrom !== start.hash ? whyOutdated(this.origin) : undefined
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
  change<Result>(cause: Cause, run: () => Result, restart: Pick<WorldChange, 'from' | 'title'> = {}): Result {
    // On each change, a spread or a rest that adds or leaves out fields would take longer than the checks.
    this.#change = { cause, from: restart.from, title: restart.title }
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
    const start = startOf(composition, this.#options, this.#seed)
    const started = start.load(this.#options.generate)
    const from = this.setting()
    this.starts++
    this.loading = undefined
    this.#startSettings(composition, start)
    const begin = (made: Contents) => this.change(cause, () => this.#begin(start, made), { from })
    if (started instanceof Promise) this.#loadLater(started, begin)
    else begin(started)
  }

  /**
   * Starts from changed files, with its own changes on top, as a step of the history. If they don't fit, or if its start
   * is unknown, the data stays unchanged, and `outdated` says so.
   */
  startBelowChanges(composition: Composition, cause: Cause, files: string): void {
    const start = startOf(composition, this.#options, this.#seed)
    const merged = changesOn(start, this, this.#options.generate)
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

  #loadLater(started: Promise<Contents>, begin: (made: Contents) => void): void {
    const loading: Promise<void> = started.then((made) => (this.loading === loading ? begin(made) : this.loading))
    this.loading = loading
    // The failure reaches whoever awaits the promise. Unhandled, it must not end the process.
    loading.catch(() => undefined)
  }

  #begin(start: Start, contents: Contents): void {
    this.loading = undefined
    this.ids = createIds(this.#seed)
    this.origin = originOf(start, contents)
    this.data.replaceBy(contents)
  }

  /** Restarts the clock and the rules, as a step of the history. */
  restartSettings(composition: Composition, cause: Cause, misfit?: string): void {
    const from = this.setting()
    const start = startOf(composition, this.#options, this.#seed)
    this.origin = { ...this.origin, start, misfit: misfit ?? this.origin.misfit }
    this.#startSettings(composition, start)
    this.#onStep(cause, this, { from, to: this.setting() })
  }

  snapshot(): State {
    return takeSnapshot(this.data)
  }

  /** A commit is about to be final. */
  #committing(commit: Commit | Replacement): void {
    const { origin } = this
    const isStart = 'after' in commit && commit.after === origin.contents
    const isTouched = origin.isTouched || (!isStart && this.#change !== undefined)
    const isNew = !isStart && !(origin.isChanged && isTouched === origin.isTouched)
    if (isNew) this.origin = { ...origin, isChanged: true, isTouched }
    if (this.#change === undefined) return
    const { cause, from = { isTouched: origin.isTouched }, title } = this.#change
    const to = this.#change.from === undefined ? { isTouched } : this.setting()
    this.#onStep(cause, this, { commit, from, to, title })
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
  goTo({ clock, rules, ids, composition, origin = this.origin, isTouched = origin.isTouched }: Setting): void {
    this.composition = composition ?? this.composition
    this.origin = isTouched === origin.isTouched ? origin : { ...origin, isTouched }
    if (clock !== undefined) this.clock.goTo(clock)
    if (rules !== undefined) this.rules.goTo(rules, this.composition.force)
    if (ids !== undefined) this.ids = createIds(this.#seed, ids)
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
}
