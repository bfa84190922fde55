import { scenarios as builtIn } from '../../../scenarios/index.js'
import { fixtureInstant } from '../../service/resources/shared/schema.js'
import type { Cache } from '../../service/store/cache.js'
import type { Contents } from '../../service/store/database.js'
import { realTime } from '../../support/clock.js'
import { none } from '../../support/freeze.js'
import { murmur3 } from '../../support/hash.js'
import { RecordIds } from '../../support/ids.js'
import { listFaults, sentence } from '../../support/text.js'
import { MockError } from '../errors/mock-errors.js'
import type { Composition } from '../scenarios/catalogue.js'
import type { FeatureGeneration, Latency } from '../scenarios/scenario.js'
import { type Changes, savedChanges } from '../state/changes.js'
import { invalidState, loadState } from '../state/load-state.js'
import type { PartialState } from '../state/partial-state.js'
import { putOn, type Sleeping } from '../state/put-on.js'
import { type State, takeSnapshot, WorldData } from '../state/state.js'
import { danglingReference } from '../state/state-fault.js'
import { type LoadedFile, loadServiceFile } from '../transfer/load-file.js'
import type { ServiceFile } from '../transfer/service-file.js'

/** Start data of all worlds of a mock, and where it comes from. The mock doesn't copy it. */
export interface SourcedFixture {
  state: PartialState | ServiceFile
  /** The name of its file in errors. Undefined for data from code. */
  source?: string | undefined
  /** The path of the file that contains exactly this data. */
  file?: string | undefined
}

/** The name of a fixture's file. Undefined for data from code. */
export function fileNameOf({ file, source }: SourcedFixture): string | undefined {
  return file ?? source
}

/** The data of a world that became the start of all worlds: what differs from the files. */
export interface TakenData {
  /** The `sources` of its world's composition. */
  readonly sources: readonly string[]
  readonly changes: Changes
}

/** Generates features. Returns a promise if the code has to be loaded first. */
export type Generate = (what: FeatureGeneration, now: Date) => Iterable<PartialState> | Promise<Iterable<PartialState>>

/** The start options of all worlds of an instance, in any scenario. */
export interface WorldOptions {
  seed?: string | number | undefined
  /** Freezes the clock. Takes precedence over a scenario's own date. */
  now?: Date | undefined
  /** The data below every scenario's data, each with the name of its source. */
  fixtures: readonly SourcedFixture[]
  /** The data on top of the fixtures, if a tester has chosen some. */
  taken?: TakenData | undefined
  /** Takes precedence over a scenario's own. */
  latency?: Latency | undefined
  generate: Generate
  cache?: Cache | undefined
}

/** The seed of a world's IDs: a login is valid in all worlds of a session, so no two worlds can give it the same secret. */
export function idSeedOf(world: string, { seed }: WorldOptions): WorldOptions['seed'] {
  return seed === undefined || world === 'default' ? seed : `${seed}/${world}`
}

/** A seed for data that already contains IDs from the first seed, so that no ID is used twice. */
export function seedAfter(seed: WorldOptions['seed'], data: WorldData): WorldOptions['seed'] {
  return seed === undefined ? undefined : `${seed}/${data.tables.events.nextId}`
}

/** The sources of a start. */
interface StartSources {
  composition: Composition
  /** The data below the data of its scenarios. */
  fixtures: readonly SourcedFixture[]
  taken: TakenData | undefined
  /** Freezes the clock. Takes precedence over a scenario's own date. */
  now: Date | undefined
  /** The seed of a mock. */
  seed: string | number | undefined
  /** The seed of the IDs. */
  idSeed: string | number | undefined
}

/** The data with which worlds start. All of them share its records, which nobody changes. */
export class Start {
  /** The real time at which its worlds began, in milliseconds since 1970. */
  readonly startedAt: number
  /** The time from which its dates count, by the clock of its worlds. */
  readonly time: number
  readonly #sources: StartSources
  #contents: Contents | Promise<Contents> | undefined
  #notices: readonly string[] = none
  #asleep: Sleeping | undefined
  #seedOnTaken: string | undefined

  constructor(sources: StartSources, startedAt: number) {
    this.startedAt = startedAt
    this.time = timeOf(sources, startedAt)
    this.#sources = sources
  }

  get fixtures(): readonly SourcedFixture[] {
    return this.#sources.fixtures
  }

  /** The seed of its worlds' new IDs: taken data contains IDs of the same seed. */
  get nextSeed(): WorldOptions['seed'] {
    const { idSeed, taken } = this.#sources
    if (idSeed === undefined || taken === undefined) return idSeed
    this.#seedOnTaken ??= `${idSeed}/${murmur3(JSON.stringify(savedChanges(taken.changes)))}`
    return this.#seedOnTaken
  }

  /** The changes of the taken data that don't fit. Undefined until it is loaded. */
  get asleep(): Sleeping | undefined {
    return this.#asleep
  }

  /** The reason why taken data doesn't fit the files. Undefined if it comes from other scenarios. */
  get misfit(): string | undefined {
    const { taken, composition } = this.#sources
    const isWhole = taken !== undefined && sharedSources(composition, taken) === taken.sources.length
    return isWhole ? this.#asleep?.reason : undefined
  }

  /** Lines about the parts of Unleash's files that it left out. Empty until it is loaded. */
  get notices(): readonly string[] {
    return this.#notices
  }

  /** Undefined until it is loaded. */
  get contents(): Contents | undefined {
    return this.#contents instanceof Promise ? undefined : this.#contents
  }

  /** Whether its worlds have other seeds or clocks than those of some sources. */
  differsFrom({ composition, now, idSeed }: StartSources): boolean {
    const { composition: own, ...mine } = this.#sources
    return own.now !== composition.now || mine.now?.getTime() !== now?.getTime() || mine.idSeed !== idSeed
  }

  /**
   * Loads its data, the first time only. Returns a promise if features have to be generated. Throws `INVALID_STATE` or
   * `INVALID_SCENARIO`.
   */
  load(generate: Generate): Contents | Promise<Contents> {
    if (this.#contents !== undefined) return this.#contents
    const notices: string[] = []
    const sleep = (asleep: Sleeping | undefined) => {
      this.#asleep = asleep
    }
    const contents = loadContents(this.#sources, { now: new Date(this.time), generate, notices, sleep })
    this.#notices = notices
    this.#contents = contents
    if (contents instanceof Promise) {
      contents.then(
        (made) => {
          this.#contents = made
        },
        () => {
          this.#contents = undefined
        },
      )
    }
    return contents
  }
}

/** The maximum age of a start with a running clock, in milliseconds: the dates of a new world are at most this old. */
const SHARED_FOR = 60_000

/** The maximum starts of the same scenarios and fixtures that are shared, such as with different seeds. */
const STARTS_SHARED = 4

/** The starts from some sources, and the nodes of more sources. */
class StartNode {
  /** For new worlds, the newest first. */
  readonly #recent: Start[] = []
  /** All that some world still has. */
  #all: WeakRef<Start>[] = []
  readonly next = new WeakMap<object, StartNode>()

  find(isMeant: (start: Start) => boolean, isNew: boolean): Start | undefined {
    return isNew
      ? this.#recent.find(isMeant)
      : this.#all.map((start) => start.deref()).find((start) => start && isMeant(start))
  }

  add(start: Start, isNew: boolean): void {
    this.#all = [...this.#all.filter((one) => one.deref() !== undefined), new WeakRef(start)]
    if (!isNew) return
    this.#recent.unshift(start)
    this.#recent.splice(STARTS_SHARED)
  }
}

/** Starts by the objects behind them, one after another. A start is forgotten with any of them. */
const firstNode = new StartNode()

/**
 * The start of a world, perhaps shared with other worlds. A new world takes a start of the last minute; one that began
 * earlier takes exactly the start of its time.
 */
export function startOf(
  composition: Composition,
  options: WorldOptions,
  idSeed: WorldOptions['seed'],
  startedAt?: number,
): Start {
  const { now, seed } = options
  const fixtures = composition.fixtures ? options.fixtures : none
  const taken = composition.fixtures ? options.taken : undefined
  const sources = { composition, fixtures, taken, now, seed, idSeed }
  const { root, seeds, generate } = composition
  // A fixture can be anything until it is loaded, and only an object can be a key.
  const states = fixtures.map(({ state }): object => Object(state))
  const node = [root, ...seeds, none, ...generate, none, ...states, taken ?? none].reduce(nextNode, firstNode)
  const isNew = startedAt === undefined
  const start = new Start(sources, startedAt ?? realTime())
  const age = ({ time }: Start) => start.time - time
  const isMeant = (other: Start) => (isNew ? age(other) >= 0 && age(other) < SHARED_FOR : age(other) === 0)
  const shared = node.find((other) => isMeant(other) && !other.differsFrom(sources), isNew)
  if (shared !== undefined) return shared
  node.add(start, isNew)
  return start
}

/** The time of a start: a given date, the date of a scenario, or the real time. */
function timeOf({ composition, now }: StartSources, startedAt: number): number {
  if (now !== undefined) return now.getTime()
  return composition.now === undefined ? startedAt : Date.parse(fixtureInstant(composition.now, new Date(startedAt)))
}

function nextNode({ next }: StartNode, part: object): StartNode {
  const known = next.get(part) ?? new StartNode()
  next.set(part, known)
  return known
}

type Loading = Omit<Parameters<typeof loadState>[2], 'now' | 'ids'>

interface LoadTarget {
  now: Date
  generate: Generate
  /** Gets the lines about parts that are left out. */
  notices: string[]
  /** Gets the changes of the taken data that don't fit. */
  sleep(asleep: Sleeping | undefined): void
}

/**
 * The number of sources that taken data was on top of, from the first on. It is loaded after these: as exactly as possible
 * on top of the same data, and below all else.
 */
function sharedSources({ sources }: Composition, taken: TakenData): number {
  const other = sources.findIndex((name, at) => name !== taken.sources[at])
  return other === -1 ? sources.length : other
}

/** Loads the records of a start. Its dates count from `now`, however long loading takes. */
function loadContents(
  { composition, fixtures, taken, idSeed }: StartSources,
  { now, generate, notices, sleep }: LoadTarget,
): Contents | Promise<Contents> {
  const data = new WorldData()
  const ids = new RecordIds(idSeed)
  const load = (given: unknown, options: Loading) => loadState(data, given, { ...options, now, ids })
  const loadSeed = (state: PartialState, part: string, hint?: string) => {
    ids.startPart(part)
    load(state, {
      source: `The scenario "${composition.names.join(',')}"`,
      replacesAll: false,
      checked: true,
      isByHand: true,
      hint,
      isFaultless: data.isEmpty && builtIn.some(({ seed }) => seed === state),
      locate: (path) => path.replace('$', '$.seed'),
    })
  }
  const loadFixture = ({ state, source: file }: SourcedFixture, at: number) => {
    ids.startPart(`fixture ${at}`)
    const source = file ?? 'The fixture'
    const options = { source, file, replacesAll: false, isUnshared: true }
    const { leftOut = none } = loadGiven(state, options, () => takeSnapshot(data), load) ?? {}
    notices.push(...leftOut.map((line) => `${source}: ${line}`))
  }
  const sourcesBelow = taken && Math.max(1, sharedSources(composition, taken))
  let loaded = 0
  const endSource = () => {
    loaded++
    if (taken === undefined || loaded !== sourcesBelow) return
    ids.startPart('taken')
    const put = putOn(data.contents(), taken.changes, { now, ids })
    data.replaceBy(put.contents)
    sleep(put.asleep)
  }
  loadGround(composition, fixtures, { loadSeed, loadFixture })
  endSource()
  for (const [at, seed] of composition.seeds.entries()) {
    loadSeed(seed, `seed ${at}`, composition.names.length > 1 ? nameAlone(composition.sources[at + 1]) : undefined)
    endSource()
  }
  const batches = composition.generate.map((what) => generate(what, now))
  const loadAll = (lists: readonly Iterable<PartialState>[]) => {
    for (const [at, list] of lists.entries()) {
      const { project = 'default' } = composition.generate[at] ?? {}
      if (!data.tables.projects.has(project)) throw unknownProject(project, data)
      for (const batch of list) loadSeed(batch, `generated ${at}`)
      endSource()
    }
    return data.contents()
  }
  const areReady = (lists: typeof batches): lists is Iterable<PartialState>[] =>
    lists.every((list) => !(list instanceof Promise))
  return areReady(batches) ? loadAll(batches) : Promise.all(batches).then(loadAll)
}

function nameAlone(scenario = ''): string {
  return `Scenarios are combined from left to right, and "${scenario}" doesn't fit the data of those before it. Name "${scenario}" alone.`
}

/**
 * Loads seed data, or a file of Unleash, as far as it can be loaded. `load` also gets one line about the rest of such a
 * file. Returns the file; undefined for seed data.
 */
export function loadGiven(
  given: unknown,
  options: Loading,
  known: () => State,
  load: (given: unknown, options: Loading, leftOut: readonly string[]) => void,
): LoadedFile | undefined {
  const { replacesAll } = options
  const file = replacesAll
    ? undefined
    : loadServiceFile(given, {
        known,
        load: ({ state, locate }, leftOut) => load(state, { ...options, locate }, leftOut),
        fail: (faults) => invalidState(faults, options),
      })
  if (file === undefined) load(given, { ...options, isByHand: !replacesAll }, none)
  return file
}

interface Ground {
  loadSeed(state: PartialState, part: string): void
  loadFixture(fixture: SourcedFixture, at: number): void
}

/**
 * Loads the data below the scenarios. Fixtures can change built-in data. A custom scenario changes fixtures, even if it
 * extends nothing. It can contain the projects that fixtures need, so its data also loads before them, unless it needs
 * them itself.
 */
function loadGround({ root }: Composition, fixtures: readonly SourcedFixture[], to: Ground): void {
  const seed = root.seed ?? {}
  const isCustom = !builtIn.includes(root)
  try {
    if (!isCustom || fixtures.length > 0) to.loadSeed(seed, 'ground')
  } catch (error) {
    if (!isCustom) throw error
  }
  for (const [at, fixture] of fixtures.entries()) to.loadFixture(fixture, at)
  if (isCustom) to.loadSeed(seed, 'root')
}

function unknownProject(project: string, { tables }: WorldData): MockError {
  const known = tables.projects.list().map(({ id }) => id)
  const fault = danglingReference('$.generate.project', 'a project', project, known)
  return new MockError(
    'INVALID_SCENARIO',
    sentence(`Features can't be generated: ${listFaults([fault])}`),
    'Add the project to a fixture or to the seed, or use an existing project.',
    [fault],
  )
}
