import { scenarios as builtIn } from '../../../scenarios/index.js'
import { MockError } from '../../service/contract/mock-errors.js'
import type { SignedIn } from '../../service/resources/people/login.js'
import { keepLogin } from '../../service/resources/people/login.model.js'
import { fixtureInstant } from '../../service/resources/shared/schema.js'
import type { Tables } from '../../service/resources/tables.js'
import type { Cache } from '../../service/store/cache.js'
import type { Contents } from '../../service/store/database.js'
import { Clock, createClock } from '../../support/clock.js'
import { none } from '../../support/freeze.js'
import { createIds, type Ids } from '../../support/ids.js'
import { listFaults, sentence } from '../../support/text.js'
import type { Composition } from '../scenarios/catalogue.js'
import { ForceRules } from '../scenarios/force-rules.js'
import type { FeatureGeneration, Latency } from '../scenarios/scenario.js'
import { invalidState, loadState } from '../state/load-state.js'
import type { PartialState } from '../state/partial-state.js'
import { type State, takeSnapshot, WorldData } from '../state/state.js'
import { danglingReference } from '../state/state-fault.js'
import { readServiceFile } from '../transfer/read-file.js'
import type { ServiceFile } from '../transfer/service-file.js'
import type { FoundLogin, Logins } from './logins.js'
import type { Cause, KeptHistory, WorldPosition } from './steps.js'

/** What all worlds of an instance start with, whatever their scenario. */
export interface WorldOptions {
  seed?: string | number | undefined
  /** Freezes the clock. Takes precedence over a scenario's own date. */
  now?: Date | undefined
  /** The ground of every scenario's data, each with the name of its source. */
  fixtures: readonly { state: PartialState | ServiceFile; source: string }[]
  /** Takes precedence over a scenario's own. */
  latency?: Latency | undefined
  generate: (what: FeatureGeneration, now: Date) => Promise<Iterable<PartialState>>
  cache?: Cache | undefined
}

/** What a new world takes over from its session. */
interface Inherited {
  /** Undefined if it starts with the data of its scenarios. */
  kept?: KeptWorld | undefined
  logins?: Logins | undefined
}

/** What was kept of a world. Without a position, its clock, ids and rules start over. */
export interface KeptWorld {
  data: WorldData
  position?: WorldPosition | undefined
  /** Undefined if it begins with what was kept. */
  history?: KeptHistory | undefined
}

type LoadOptions = Omit<Parameters<typeof loadState>[2], 'now' | 'ids'>

/** A scenario that is running: its data, its clock, its ids, its force rules. */
export class World {
  readonly composition: Composition
  /** The names of its scenarios, joined by commas. */
  readonly name: string
  readonly clock: Clock
  readonly ids: Ids
  readonly data: WorldData
  readonly rules = new ForceRules()
  readonly latency: Latency | undefined
  /** Settles when generated data is in place. Undefined where there is none, or once it is there. */
  loading: Promise<void> | undefined
  /** When it started, by its clock. */
  readonly startedAt: number
  /** What it was given. Undefined while that is generated, and where its data was kept. */
  startedWith: Contents | undefined
  /** What lies below the data of its scenarios. */
  readonly fixtures: WorldOptions['fixtures']
  /** What is making a commit just now. */
  #cause: Cause | undefined
  readonly #logins: Logins | undefined

  /** Starts with the data of its scenarios, or resumes what was kept. */
  constructor(composition: Composition, options: WorldOptions, { kept, logins }: Inherited = {}) {
    this.composition = composition
    this.name = composition.names.join(',')
    this.#logins = logins
    this.data = kept?.data ?? new WorldData()
    this.data.cache = options.cache ?? this.data.cache
    const seed = seedOf(options.seed, this.name)
    this.latency = options.latency ?? composition.latency
    const position = kept?.position
    this.clock = position === undefined ? createClock(options.now ?? startOf(composition)) : new Clock(position.clock)
    this.startedAt = this.clock.epoch()
    this.ids = createIds(kept === undefined ? seed : seedAfter(seed, kept), position?.ids)
    this.fixtures = composition.fixtures ? options.fixtures : none
    for (const rule of composition.force) this.rules.add(rule)
    if (position !== undefined) this.rules.goTo(position.rules, composition.force)
    if (kept !== undefined) return
    this.#loadGround()
    for (const seed of composition.seeds) this.#loadSeed(seed)
    const begin = () => {
      this.startedWith = this.data.contents()
      this.#keepLogins(this.#logins?.left() ?? none)
      this.loading = undefined
    }
    if (composition.generate.length === 0) begin()
    else {
      this.loading = this.#generate(options).then(begin)
      // A failure reaches whoever awaits it. If nobody does, it must not end the process.
      this.loading.catch(() => undefined)
    }
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

  get cause(): Cause | undefined {
    return this.#cause
  }

  /** Makes a change that is a step of the history. It tells the cause the id of its commit, if there is one. */
  change<Result>(cause: Cause, run: () => Result): Result {
    this.#cause = cause
    try {
      return run()
    } finally {
      this.#cause = undefined
    }
  }

  /**
   * Replaces everything by given state, or adds it. What is added may be a file of the service. Throws `INVALID_STATE`,
   * and changes nothing, if it is invalid.
   */
  load(given: unknown, options: { source: string; replacesAll: boolean; now?: Date }): void {
    const file = options.replacesAll ? undefined : readServiceFile(given, () => this.snapshot())
    if (file === undefined) this.#load(given, options)
    else if (file.faults.length > 0) throw invalidState(file.faults, options)
    else this.#load(file.state, { ...options, locate: file.locate })
  }

  /** Has the sender of a login cookie be signed in if they are in another world of the session. */
  recognize(secret: string): void {
    this.#logins?.endIfOver(secret)
    if (this.data.tables.logins.has(secret)) return
    const login = this.findLogin(secret)
    if (login !== undefined) this.#keepLogins([login])
  }

  findLogin(secret: string): FoundLogin | undefined {
    return this.#logins?.find(secret)
  }

  whyLoginEnded(secret: string): string | undefined {
    return this.#logins?.whyEnded(secret)
  }

  snapshot(): State {
    return takeSnapshot(this.data)
  }

  position(): WorldPosition {
    return { clock: this.clock.position(), ids: this.ids.position(), rules: this.rules.position() }
  }

  /** Goes back to where its clock or its rules stood. */
  goTo({ clock, rules }: Partial<WorldPosition>): void {
    if (clock !== undefined) this.clock.goTo(clock)
    if (rules !== undefined) this.rules.goTo(rules, this.composition.force)
  }

  /**
   * Loads what the scenarios lie on. Fixtures may change what is built in.
   * A scenario of one's own changes fixtures, also if it builds on nothing. It may have the projects that they need, so
   * its data comes before them as well, unless it needs them itself.
   */
  #loadGround(): void {
    const { root } = this.composition
    const seed = root.seed ?? {}
    const isOwn = !builtIn.includes(root)
    try {
      if (!isOwn || this.fixtures.length > 0) this.#loadSeed(seed)
    } catch (error) {
      if (!isOwn) throw error
    }
    const now = new Date(this.startedAt)
    for (const { state, source } of this.fixtures) this.load(state, { source, replacesAll: false, now })
    if (isOwn) this.#loadSeed(seed)
  }

  async #generate({ generate }: WorldOptions): Promise<void> {
    for (const what of this.composition.generate) {
      const { project = 'default' } = what
      if (!this.data.tables.projects.has(project)) throw unknownProject(project, this.data)
      for (const batch of await generate(what, new Date(this.startedAt))) this.#loadSeed(batch)
    }
  }

  #keepLogins(logins: Iterable<SignedIn>): void {
    const now = this.clock.now()
    const keep = (tables: Tables) => {
      for (const login of logins) keepLogin(login, tables, now)
    }
    this.data.transact(keep)
  }

  /** Its dates count from the start, however long loading takes: the same start makes the same data. */
  #loadSeed(state: PartialState): void {
    const now = new Date(this.startedAt)
    const locate = (path: string) => path.replace('$', '$.seed')
    this.#load(state, { source: `The scenario "${this.name}"`, replacesAll: false, checked: true, now, locate })
  }

  #load(given: unknown, options: LoadOptions & { now?: Date }): void {
    loadState(this.data, given, { now: this.clock.now(), ...options, ids: this.ids })
  }
}

function unknownProject(project: string, { tables }: WorldData): MockError {
  const known = tables.projects.list().map(({ id }) => id)
  const fault = danglingReference('$.generate.project', 'a project', project, known)
  return new MockError(
    'INVALID_SCENARIO',
    sentence(`Features can't be generated: ${listFaults([fault])}`),
    'Give the project in a fixture or in the seed, or name one that exists.',
    [fault],
  )
}

/** The seed of a world. A login counts in all worlds of a session, so no two of them may give it the same secret. */
function seedOf(seed: WorldOptions['seed'], world: string): WorldOptions['seed'] {
  return seed === undefined || world === 'default' ? seed : `${seed}/${world}`
}

/** A seed for data that already holds ids made from the first one: the same ids must not be given twice. */
function seedAfter(seed: WorldOptions['seed'], { data }: KeptWorld): WorldOptions['seed'] {
  return seed === undefined ? undefined : `${seed}/${data.tables.events.nextId}`
}

function startOf({ now }: Composition): Date | undefined {
  return now === undefined ? undefined : new Date(fixtureInstant(now, createClock().now()))
}
