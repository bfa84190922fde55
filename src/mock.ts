import { scenarios as builtIn } from '../scenarios/index.js'
import { MockError } from './contract/mock-errors.js'
import { profileBelow, profiles } from './contract/profiles.js'
import { createMockSession, type MockSession } from './control/mock-session.js'
import { mountControl } from './control/mount.js'
import { createApp } from './http/app.js'
import { createMatcher } from './http/match.js'
import { createOriginPolicy } from './http/origins.js'
import { CONTROL_PATH } from './http/path.js'
import { scenarioNames } from './http/select.js'
import { checkOptions, type MockOptions } from './mock-options.js'
import { Catalogue } from './scenarios/catalogue.js'
import { parseScenario, type Scenario } from './scenarios/scenario.js'
import type { JournalEntry } from './sessions/journal.js'
import type { SessionOptions } from './sessions/session.js'
import { Sessions, UNNAMED } from './sessions/sessions.js'
import type { PartialState } from './store/state.js'
import { version } from './version.js'

export type { MockOptions }

/** An instance: the unnamed session, and all others. It owns all its state. */
export interface Mock extends MockSession, AsyncDisposable {
  /** What the service's links begin with. */
  readonly baseUrl: string
  /** For a door that learns only later where it stands: sets the base URL if none was given. */
  settle(baseUrl: string): void
  /**
   * Takes these scenarios and fixtures in the place of those given at the start. All worlds start afresh. Throws, and
   * changes nothing, if they are not well-formed.
   */
  reload(sources: Pick<MockOptions, 'scenarios' | 'fixtures'>): void
  /** Calls back for each request of every session; the answer ends that. */
  onRequest(listener: (entry: JournalEntry, session: string) => void): () => void
  /** Calls back after each change of the unnamed session's data; the answer ends that. */
  onChange(listener: () => void): () => void
}

const DEFAULT_BASE_URL = 'http://localhost:4242'

/**
 * Makes an instance: a whole service in memory, with nothing shared with any other one.
 * Throws a `MockError` for an option that it does not take, an unknown scenario, or a fixture that is not well-formed.
 *
 * @example
 * const mock = createMock({ seed: 1, now: '2026-11-20T12:00:00Z' })
 * const response = await mock.fetch(new Request('http://localhost/api/admin/projects', {
 *   headers: { authorization: '*:*.mock-admin' },
 * }))
 */
export function createMock(options: MockOptions = {}): Mock {
  checkOptions(options)
  const catalogue = new Catalogue(knownScenarios(options))
  const baseUrl = {
    given: options.baseUrl !== undefined,
    url: trimSlash(options.baseUrl ?? DEFAULT_BASE_URL + (options.basePath ?? '')),
  }
  const basePath = trimSlash(new URL(baseUrl.url).pathname)
  const profile = profileBelow(basePath, profiles[options.profile ?? 'documented'])
  const worldOptions: SessionOptions = {
    catalogue,
    defaultScenario: startScenario(options, catalogue),
    journalSize: options.journalSize ?? 1000,
    seed: options.seed,
    now: options.now === undefined ? undefined : new Date(options.now),
    fixtures: givenFixtures(options),
    latency: options.latency,
    generate: async (what, now) => (await import('./generate/features.js')).generateStates(what, now),
  }
  const sessions = new Sessions(worldOptions)
  const app = createApp(
    {
      sessions,
      profile,
      baseUrl: () => baseUrl.url,
      basePath,
      origins: createOriginPolicy(options.allowOrigins ?? [], CONTROL_PATH),
    },
    [mountControl(catalogue, version)],
  )
  sessions.unnamed.world()
  const matchPath = createMatcher(basePath)
  const unnamed = createMockSession(UNNAMED, {
    sessions,
    catalogue,
    profile,
    baseUrl: () => baseUrl.url,
    app,
    match: (method, url) => (baseUrl.given && !isBelow(baseUrl.url, url) ? undefined : matchPath(method, url)),
  })
  return Object.defineProperties({} as Mock, {
    ...Object.getOwnPropertyDescriptors(unnamed),
    ...Object.getOwnPropertyDescriptors({
      get baseUrl() {
        return baseUrl.url
      },
      settle(url: string) {
        if (!baseUrl.given) baseUrl.url = trimSlash(url)
      },
      reload(sources: Pick<MockOptions, 'scenarios' | 'fixtures'>) {
        const renewed = { ...options, ...sources }
        createMock(renewed)
        catalogue.replace(knownScenarios(renewed))
        worldOptions.fixtures = givenFixtures(renewed)
        for (const session of sessions.all()) session.restartAll()
      },
      onRequest: (listener: Parameters<Mock['onRequest']>[0]) => observeRequests(sessions, listener),
      onChange: (listener: () => void) => sessions.unnamed.onChange(listener),
      [Symbol.asyncDispose]: async () => sessions.dispose(),
    }),
  })
}

function isBelow(baseUrl: string, url: string): boolean {
  return new URL(url).origin === new URL(baseUrl).origin
}

function observeRequests(sessions: Sessions, listener: Parameters<Mock['onRequest']>[0]): () => void {
  return sessions.observe((session) => session.journal.onEntry((entry) => listener(entry, session.name)))
}

function startScenario({ scenario = 'default' }: MockOptions, catalogue: Catalogue): readonly string[] {
  if (typeof scenario !== 'string') return [scenario.name]
  const names = scenarioNames(scenario)
  catalogue.compose(names)
  return names.length === 0 ? ['default'] : names
}

function knownScenarios({ scenarios = [], scenario }: MockOptions): readonly Scenario[] {
  const own = typeof scenario === 'object' ? [...scenarios, scenario] : scenarios
  return [...builtIn, ...own.map((given) => parseScenario(given, `The scenario "${given.name}"`))]
}

function givenFixtures({ fixtures = [] }: MockOptions): SessionOptions['fixtures'] {
  const states: readonly PartialState[] = Array.isArray(fixtures) ? fixtures : [fixtures as PartialState]
  return states.map((state) => ({ state: ownCopy(state), source: 'The fixture' }))
}

/** A copy of a fixture, so that nobody changes later worlds by changing what they gave. */
function ownCopy(state: PartialState): PartialState {
  try {
    return structuredClone(state)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new MockError('INVALID_STATE', `The fixture is not plain data: ${reason}`, 'Give it as JSON would hold it.')
  }
}

function trimSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
