import { scenarios as builtIn } from '../../../scenarios/index.js'
import type { Profile } from '../../service/contract/profile.js'
import { profileBelow, profiles } from '../../service/contract/profiles.js'
import { Cache } from '../../service/store/cache.js'
import { startStopwatch } from '../../support/clock.js'
import { reasonOf } from '../../support/errors.js'
import { none } from '../../support/freeze.js'
import { withoutTrailing } from '../../support/text.js'
import { version } from '../../version.js'
import { SessionData } from '../data/data.js'
import { faultOf, MockError } from '../errors/mock-errors.js'
import type { Answer } from '../http/answer.js'
import { type App, createApp } from '../http/app.js'
import type { Call, MatchedBy, Paths, ScenarioFolder, ServedMock } from '../http/call.js'
import { Service } from '../http/service.js'
import { Catalogue, DEFAULT_SCENARIO } from '../scenarios/catalogue.js'
import { parseScenario, type Scenario, scenarioSource } from '../scenarios/scenario.js'
import { NO_STATES, onTop, type Selection, selectionIn } from '../scenarios/selection.js'
import { CoverageCounter, namesIn } from '../sessions/flag-counter.js'
import { missingFlags } from '../sessions/flag-coverage.js'
import { ENTRIES_KEPT } from '../sessions/journal.js'
import type { Persistence } from '../sessions/persistence.js'
import type { SessionOptions } from '../sessions/session.js'
import { Sessions } from '../sessions/sessions.js'
import { fileNameOf, type Generate, type SourcedFixture, type TakenData } from '../sessions/start.js'
import { World } from '../sessions/world.js'
import { invalidState } from '../state/load-state.js'
import { nearMisses } from '../state/near-misses.js'
import type { PartialState } from '../state/partial-state.js'
import { structureFault } from '../state/state-fault.js'
import { formatOf, type ServiceFile } from '../transfer/service-file.js'
import { type MockOptions, readOptions } from './options.js'

const DEFAULT_BASE_URL = 'http://localhost:4242'

/** The parts of a mock: shared by the mock, its sessions and its adapters. */
export class MockCore implements ServedMock {
  readonly version = version
  readonly catalogue: Catalogue
  readonly profile: Profile
  readonly sessions: Sessions
  readonly coverage = new CoverageCounter()
  readonly basePath: string
  /** The path of the app next to the mock. Set by the adapters that serve one. */
  appPath: string | undefined
  /** The paths of `createMock`, and those that handlers add. */
  paths: Paths
  readonly allowOrigins: readonly string[]
  readonly documents = new Map<string, Promise<unknown>>()
  readonly uptime = startStopwatch()
  readonly service = new Service(this)
  readonly data = new SessionData()
  readonly scenarioFolder: ScenarioFolder | undefined
  /** The JSON of saved sessions that can't be read. Each save writes it again. */
  unreadable: readonly string[] = []
  readonly #options: MockOptions
  readonly #sessionOptions: SessionOptions
  #baseUrl: string
  #app: App | undefined

  constructor(given: MockOptions, fixtures?: readonly SourcedFixture[], scenarioFolder?: ScenarioFolder) {
    const options = readOptions(given)
    this.#options = options
    this.scenarioFolder = scenarioFolder
    this.#baseUrl = trimSlash(options.baseUrl ?? DEFAULT_BASE_URL + (options.basePath ?? ''))
    this.basePath = options.basePath ?? trimSlash(new URL(this.#baseUrl).pathname)
    this.paths = options.paths ?? {}
    const profile = profileBelow(this.basePath, profiles[options.profile ?? 'documented'])
    this.profile = { ...profile, ...keysFor(options.auth), tokenFormat: options.tokenFormat ?? profile.tokenFormat }
    this.catalogue = new Catalogue(knownScenarios(options))
    this.#sessionOptions = sessionOptions(options, this, fixtures)
    this.sessions = new Sessions(this.#sessionOptions)
    this.allowOrigins = options.allowOrigins ?? []
    // Created now, to report an invalid fixture or an unknown flag here.
    this.sessions.unnamed.select(this.#sessionOptions.defaultSelection)
  }

  get baseUrl(): string {
    return this.#baseUrl
  }

  /** Sets the base URL unless it was given: an adapter learns only later where it listens. */
  setDefaultBaseUrl(url: string): void {
    if (this.#options.baseUrl === undefined) this.#baseUrl = trimSlash(url)
  }

  /** Adds the paths of a gateway. */
  addPaths(paths: Paths): void {
    this.paths = { ...this.paths, ...paths }
  }

  get app(): App {
    this.#app ??= createApp(this.service)
    return this.#app
  }

  saved(): Promise<void> | undefined {
    return this.#sessionOptions.persistence?.saved()
  }

  /** Loads the control API's code on the first call: few tests use it. */
  async control(call: Call): Promise<Answer> {
    return (await import('../control/control-routes.js')).answerControl(call)
  }

  /**
   * The handler of a request. With a given base URL, it handles only requests to its origin. Without one, it leaves paths
   * that any app can have to the app.
   */
  match(method: string, url: string, hasBase = false): MatchedBy | undefined {
    return this.isAt(url) ? this.service.match(method, url, hasBase || this.hasBase) : undefined
  }

  /** Whether the URL tells its requests from an app's. */
  get hasBase(): boolean {
    return this.#options.baseUrl !== undefined || this.basePath !== ''
  }

  /** Whether a URL has the given origin, if one was given. */
  isAt(url: string): boolean {
    const { baseUrl } = this.#options
    return baseUrl === undefined || new URL(url).origin === new URL(baseUrl).origin
  }

  /** Calls a listener with a sentence about the names in a report for which there is no feature, once for each name. */
  onMissingFlag(listener: (sentence: string) => void): void {
    this.coverage.onMissing = (names) => {
      // A look-up takes a time that grows with the features, and anybody can send a report.
      const sentence = missingFlags(names, names.length === 1 ? namesIn(this.sessions.unnamed.world()) : none)
      if (sentence !== undefined) listener(sentence)
    }
  }

  /**
   * Notices for users: about parts of fixtures that were left out, names there that lead to nothing, and the scenarios of
   * sessions.
   */
  notices(): string[] {
    return [...this.#fixtureNotices(), ...this.sessions.notices()]
  }

  #fixtureNotices(): string[] {
    const { fixtures, generate } = this.#sessionOptions
    if (fixtures.length === 0) return []
    const { origin, data } = this.sessions.unnamed.world()
    void origin.start.load(generate)
    const others = flagsOfScenarios()
    return [...origin.start.notices, ...nearMisses(data.tables, (flag) => others.has(flag))]
  }

  /** Saves all later changes of any session. */
  persistWith(persistence: Persistence): void {
    this.#sessionOptions.persistence = persistence
    this.catalogue.saved.onChange(() => persistence.changed())
  }

  /** Replaces scenarios and fixtures, and restarts all worlds. Throws, and changes nothing, if they are invalid. */
  reload(sources: Pick<MockOptions, 'scenarios' | 'fixtures'>, fixtures?: readonly SourcedFixture[]): void {
    const options = readOptions({ ...this.#options, ...sources })
    const scenarios = knownScenarios(options)
    const { coverage, taken } = this
    const made = sessionOptions(options, { catalogue: new Catalogue(scenarios), coverage }, fixtures)
    const renewed = { ...made, taken }
    // The sources are valid if the default scenario can start with them.
    new World(renewed.catalogue.compose(renewed.defaultSelection.scenarios), renewed)
    const before = [...fixtureTexts(this.#sessionOptions.fixtures), ...scenarioTexts(this.catalogue.all())]
    this.catalogue.replace(scenarios)
    this.#sessionOptions.fixtures = renewed.fixtures
    const after = [...fixtureTexts(renewed.fixtures), ...scenarioTexts(this.catalogue.all())]
    const files = changedNames(before, after).join(', ') || 'The files'
    this.#restartAll(`${files} changed`)
  }

  /** The data that all worlds start with, if a tester has chosen some. */
  get taken(): TakenData | undefined {
    return this.#sessionOptions.taken
  }

  /**
   * Makes the data of a world the start of all worlds, and restarts these. Throws, and changes nothing, if the default
   * scenario can't start with it.
   */
  async takeStart(world: World, by: string): Promise<void> {
    const taken = await world.taken()
    this.#startWith(taken)
    this.#restartAll(`The data of ${by} became the start of all sessions`, world)
  }

  /** Continues with the start of an earlier process, before its sessions are resumed. Throws `INVALID_STATE`. */
  resumeStart(taken: TakenData): void {
    this.#startWith(taken)
    this.sessions.unnamed.adopt({ worlds: new Map(), logins: [] })
  }

  /** Returns to the start of the files, and restarts all worlds. */
  leaveStart(): void {
    if (this.taken === undefined) return
    this.#startWith(undefined)
    this.#restartAll('All sessions start with the files again')
  }

  /** Starts later worlds with taken data. Throws, and changes nothing, if the default scenario can't start with it. */
  #startWith(taken: TakenData | undefined): void {
    const { catalogue, defaultSelection } = this.#sessionOptions
    new World(catalogue.compose(defaultSelection.scenarios), { ...this.#sessionOptions, taken })
    this.#sessionOptions.taken = taken
  }

  #restartAll(why: string, taken?: World): void {
    for (const session of this.sessions.all()) session.restartAll(why, taken)
  }
}

/** The names of the flags of built-in scenarios. */
export function flagsOfScenarios(): ReadonlySet<string> {
  return new Set(
    builtIn.flatMap(({ seed }) => (Array.isArray(seed?.features) ? seed.features.map(({ name }) => name) : [])),
  )
}

/** Prints notices on the console. */
export function printNotices(notices: readonly string[]): void {
  for (const notice of notices) {
    // biome-ignore lint/suspicious/noConsole: the mock works, so this isn't an error
    console.warn(`[flagdouble] ${notice}`)
  }
}

/** The notices about parts of fixtures that are left out. Each test tells about invalid fixtures. */
export function noticesAbout({ fixtures }: Pick<MockOptions, 'fixtures'>): readonly string[] {
  const sourced = givenFixtures(fixtures)
  if (sourced.every(({ state }) => formatOf(state) === undefined)) return none
  let notices: readonly string[] = none
  faultOf(() => {
    notices = new MockCore({}, sourced).sessions.unnamed.world().origin.start.notices
  })
  return notices
}

/** The name of a source of data, with its contents as text. */
type NamedText = readonly [name: string | undefined, text: string]

function fixtureTexts(fixtures: readonly SourcedFixture[]): NamedText[] {
  return fixtures.map((fixture) => [fileNameOf(fixture), JSON.stringify(fixture.state)])
}

function scenarioTexts(scenarios: readonly Scenario[]): NamedText[] {
  return scenarios.map((scenario) => [`"${scenario.name}"`, JSON.stringify(scenario)])
}

/** The names of sources that were added, removed or changed. */
function changedNames(before: readonly NamedText[], after: readonly NamedText[]): string[] {
  const isIn = (list: readonly NamedText[], [name, text]: NamedText) =>
    list.some(([otherName, otherText]) => name === otherName && text === otherText)
  const changed = [...after.filter((one) => !isIn(before, one)), ...before.filter((one) => !isIn(after, one))]
  return [...new Set(changed.flatMap(([name]) => name ?? []))]
}

function sessionOptions(
  options: MockOptions,
  { catalogue, coverage }: Pick<SessionOptions, 'catalogue' | 'coverage'>,
  fixtures: readonly SourcedFixture[] = givenFixtures(options.fixtures),
): SessionOptions {
  return {
    catalogue,
    defaultSelection: startSelection(options),
    journalSize: options.journalSize ?? ENTRIES_KEPT,
    seed: options.seed,
    now: options.now === undefined ? undefined : new Date(options.now),
    fixtures,
    latency: options.latency,
    cache: new Cache(),
    generate: createGenerate(),
    coverage,
  }
}

/** Loads the code on first use. From then on, generating features is synchronous. */
function createGenerate(): Generate {
  let made: typeof import('../generate/features.js') | undefined
  const load = async () => {
    made = await import('../generate/features.js')
    return made
  }
  return (what, now) => made?.generateStates(what, now) ?? load().then((module) => module.generateStates(what, now))
}

function startSelection({ scenario = DEFAULT_SCENARIO }: MockOptions): Selection {
  if (typeof scenario !== 'string') return { scenarios: [scenario.name], states: NO_STATES }
  return onTop({ scenarios: [DEFAULT_SCENARIO], states: NO_STATES }, selectionIn(scenario))
}

function knownScenarios({ scenarios = [], scenario }: MockOptions): readonly Scenario[] {
  const own = typeof scenario === 'object' ? [...scenarios, scenario] : scenarios
  const parsed = [...new Set(own)].map((given) => parseScenario(given, scenarioSource(given)))
  const twin = parsed.find(({ name }, at) => parsed.some((other, i) => i > at && other.name === name))
  if (twin !== undefined) {
    const problem = `Two scenarios have the name "${twin.name}".`
    throw new MockError('INVALID_SCENARIO', problem, 'Give each scenario its own name.')
  }
  return [...builtIn, ...parsed]
}

/** Copies of fixtures given in code. */
export function givenFixtures(fixtures: MockOptions['fixtures'] = []): SourcedFixture[] {
  const isList = Array.isArray(fixtures) && formatOf(fixtures) === undefined
  const states = (isList ? fixtures : [fixtures]) as readonly GivenData[]
  return states.map((state) => ({ state: ownCopy(state) }))
}

type GivenData = PartialState | ServiceFile

/** A copy of a fixture, so that later changes to the original don't reach later worlds. */
function ownCopy(state: GivenData): GivenData {
  const fault = structureFault(state)
  if (fault !== undefined) throw invalidState([fault], { source: 'The fixture' })
  try {
    return structuredClone(state)
  } catch (error) {
    const reason = reasonOf(error)
    throw new MockError(
      'INVALID_STATE',
      `The fixture is not plain data: ${reason}`,
      'Pass only values that JSON can represent: await a promise, and pass the result of a function.',
    )
  }
}

/** The settings of a profile for the option `auth`. */
function keysFor(auth: MockOptions['auth']): Pick<Profile, 'open' | 'anyKey'> {
  if (auth === false) return { open: true, anyKey: true }
  return auth === 'any' ? { anyKey: true } : {}
}

function trimSlash(url: string): string {
  return withoutTrailing(url, '/')
}
