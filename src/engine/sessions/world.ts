import type { Contents, Replacement } from '../../service/store/database.js'
import type { Commit } from '../../service/store/table.js'
import { createClock } from '../../support/clock.js'
import { none } from '../../support/freeze.js'
import { createIds, type Ids, RecordIds } from '../../support/ids.js'
import { MockError } from '../errors/mock-errors.js'
import type { Composition } from '../scenarios/catalogue.js'
import { ForceRules } from '../scenarios/force-rules.js'
import type { Latency } from '../scenarios/scenario.js'
import { ChangeFinder, changesTo, countOf, together } from '../state/changes.js'
import { putOn, type Sleeping } from '../state/put-on.js'
import { type State, takeSnapshot, WorldData } from '../state/state.js'
import { Logins } from './logins.js'
import { idSeedOf, type Start, seedAfter, startOf, type TakenData, type WorldOptions } from './start.js'
import type { Cause, SavedWorld, Setting, WorldChange, WorldPosition } from './steps.js'

/** A new world's links to its session. */
interface Surroundings {
  /** Undefined if it starts with the data of its scenarios. */
  saved?: SavedWorld | undefined
  logins?: Logins
  /** Called for each change with a cause. */
  onStep?(cause: Cause, world: World, change: WorldChange): void
}

/** The start of a world, with its records. */
interface Origin {
  readonly start: Start
  /** Undefined while they are generated. */
  readonly contents?: Contents | undefined
}

/** A step of the history that begins a world again. */
interface Beginning {
  readonly cause: Cause
  /** A title that tells more than the cause's. */
  readonly title?: string | undefined
  /** Whether it only puts the same changes on other files: undo restores the records themselves. */
  readonly isReload?: boolean
}

/** A running scenario: its data, clock, IDs and rules. It lives as long as its session. */
export class World {
  /** The comma-separated names of its scenarios. */
  readonly name: string
  readonly clock = createClock()
  readonly data = new WorldData()
  readonly rules = new ForceRules()
  readonly logins: Logins
  ids!: Ids
  composition: Composition
  origin!: Origin
  /** Whether the data contains changes of steps since the world started. */
  hasUserChanges = false
  /** Settles when generated data has loaded. Undefined without generated data, or after loading. */
  loading: Promise<void> | undefined
  /** How often its data has started. */
  starts = 0
  /** The names of missing features that code enabled, disabled or gave a variant, and so created. */
  readonly created = new Set<string>()
  readonly #options: WorldOptions
  readonly #onStep: NonNullable<Surroundings['onStep']>
  #settingsAtStart = ''
  readonly #seed: WorldOptions['seed']
  readonly #changes = new ChangeFinder()
  /** Its changes that don't fit the start. */
  #asleep: Sleeping | undefined
  /** The reason why the taken data of its start doesn't fit the files. */
  #misfit: string | undefined
  /** The saved state that waits for generated data. */
  #pending: SavedWorld | undefined
  /** The cause of the running commit and, if it restarts the world, the settings before. */
  #change: ({ cause: Cause } & Pick<WorldChange, 'from' | 'title'>) | undefined

  /** Starts with the data of its scenarios, perhaps with saved changes on top. */
  constructor(composition: Composition, options: WorldOptions, surroundings: Surroundings = {}) {
    const { saved = {}, logins = new Logins(), onStep = () => undefined } = surroundings
    this.#options = options
    this.#onStep = onStep
    this.name = composition.names.join(',')
    this.logins = logins
    this.composition = composition
    this.#seed = idSeedOf(this.name, options)
    this.begin(composition, saved)
    this.data.cache = options.cache ?? this.data.cache
    this.data.guardWith((commit) => this.#committing(commit))
  }

  get latency(): Latency | undefined {
    return this.#options.latency ?? this.composition.latency
  }

  /** The start time, by its clock. */
  get startedAt(): number {
    return this.origin.start.time
  }

  /** A notice about changes and taken data that don't fit the files. Undefined if all do. */
  get notice(): string | undefined {
    const misfit = this.#misfit
    if (misfit === undefined) return this.#ownNotice()
    const own = this.#ownNotice() ?? ''
    return `The start of all sessions doesn't fit your files: ${misfit}. The rest of it is used. ${own}`.trim()
  }

  #ownNotice(): string | undefined {
    if (this.#asleep?.reason === undefined) return undefined
    const count = countOf(this.#asleep.changes)
    const what = count === 1 ? "1 of your changes doesn't" : `${count.toLocaleString('en')} of your changes don't`
    const later = count === 1 ? 'It comes back when it fits' : 'They come back when they fit'
    return `${what} fit your files: ${this.#asleep.reason}. ${later}, until you start over.`
  }

  /** Its start, and what differs from it. */
  saved(): SavedWorld {
    const { start, contents } = this.origin
    const state = { startedAt: start.startedAt, position: this.position() }
    const { data, changes = this.#asleep?.changes } = this.#pending ?? {}
    if (contents !== undefined && this.data.holds(contents)) return { ...state, changes }
    // A snapshot that waits for generated data has no start yet.
    const own =
      contents === undefined ? data && this.#changes.since(new Map(), data) : this.#changes.since(contents, this.data)
    return { ...state, changes: together(changes, own) }
  }

  /** Its data without reports, as what differs from the files. Undefined if nothing does. Throws `NOT_READY`. */
  async taken(): Promise<TakenData | undefined> {
    const { start } = this.ready().origin
    const { composition, data } = this
    const ofFiles = startOf(composition, { ...this.#options, taken: undefined }, this.#seed, start.startedAt)
    const contents = await ofFiles.load(this.#options.generate)
    const asleep = together(start.asleep?.changes, this.#asleep?.changes)
    const changes = changesTo('others', together(asleep, new ChangeFinder().since(contents, data)))
    return changes && { sources: composition.sources, changes }
  }

  /** Whether anything was written since its start, even a report, such as metrics, or sleeps. */
  get isChanged(): boolean {
    const { contents } = this.origin
    if (this.#asleep !== undefined || this.#pending?.changes !== undefined || this.isSet) return true
    return contents !== undefined && !this.data.holds(contents)
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
   * Begins at the start of its scenarios with saved changes on top, perhaps as a step of the history: clock and rules at
   * once, data when it is available. Changes that don't fit sleep, and a notice says so. Throws, and changes nothing, if
   * the data of the start is invalid.
   */
  begin(composition: Composition, saved: SavedWorld = {}, step?: Beginning): void {
    const start = startOf(composition, this.#options, this.#seed, saved.startedAt)
    const contents = start.load(this.#options.generate)
    const from = step && { setting: this.setting(), saved: this.saved() }
    this.starts++
    this.loading = undefined
    this.#startSettings(composition, start)
    const { ids, ...position }: Partial<WorldPosition> = saved.position ?? {}
    this.goTo(position)
    const put = (made: Contents) => {
      const put = this.#startWith(start, made, saved)
      this.ids = ids === undefined ? this.ids : createIds(this.#seed, ids)
      if (step === undefined || from === undefined) return this.data.replaceBy(put)
      const title = step.title === undefined ? {} : { title: step.title }
      if (step.isReload)
        return this.change(step.cause, () => this.data.replaceBy(put), { from: from.setting, ...title })
      this.data.replaceBy(put)
      this.#onStep(step.cause, this, {
        began: { from: from.saved, to: { ...saved, startedAt: start.startedAt } },
        ...title,
      })
    }
    if (!(contents instanceof Promise)) {
      put(contents)
      return
    }
    this.origin = { start }
    this.#pending = saved
    this.#asleep = undefined
    this.hasUserChanges = saved.changes !== undefined
    this.ids = createIds(this.#seed)
    this.#loadLater(contents, put)
  }

  /** The records of a start with saved changes on top. */
  #startWith(start: Start, made: Contents, { changes, data }: SavedWorld): Contents {
    const ids = new RecordIds(this.#seed)
    ids.startPart('changes')
    const put = changes === undefined ? undefined : putOn(made, changes, { now: new Date(start.time), ids })
    this.origin = { start, contents: made }
    this.#pending = undefined
    this.#asleep = put?.asleep
    this.#misfit = start.misfit
    this.hasUserChanges = data !== undefined || countOf(changes) > 0
    const contents = data?.contents() ?? put?.contents ?? made
    const isStart = data === undefined && changes === undefined
    this.ids = createIds(isStart ? start.nextSeed : seedAfter(start.nextSeed, new WorldData(contents)))
    return contents
  }

  #loadLater(started: Promise<Contents>, put: (made: Contents) => void): void {
    const loading: Promise<void> = started.then((made) => {
      if (this.loading !== loading) return this.loading
      this.loading = undefined
      return put(made)
    })
    this.loading = loading
    // The failure reaches whoever awaits the promise. Unhandled, it must not end the process.
    loading.catch(() => undefined)
  }

  /** Restarts the clock and the rules, as a step of the history. */
  restartSettings(composition: Composition, cause: Cause): void {
    const from = this.setting()
    this.#startSettings(composition, startOf(composition, this.#options, this.#seed))
    this.#onStep(cause, this, { from, to: this.setting() })
  }

  snapshot(): State {
    return takeSnapshot(this.data)
  }

  /** A commit is about to be final. */
  #committing(commit: Commit | Replacement): void {
    if (this.#change === undefined) return
    const { cause, from = { hasUserChanges: this.hasUserChanges }, title } = this.#change
    const isReload = this.#change.from !== undefined
    this.hasUserChanges ||= !isReload
    this.#onStep(cause, this, { commit, from, to: isReload ? this.setting() : { hasUserChanges: true }, title })
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
    const { composition, hasUserChanges } = this
    return { ...this.position(), composition, hasUserChanges, asleep: this.#asleep ?? null }
  }

  /** Restores some of its settings. */
  goTo({ clock, rules, ids, composition, hasUserChanges, asleep }: Setting): void {
    this.composition = composition ?? this.composition
    this.hasUserChanges = hasUserChanges ?? this.hasUserChanges
    if (asleep !== undefined) this.#asleep = asleep ?? undefined
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
