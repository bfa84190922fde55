import { isObject } from '../../support/json.js'
import { isolated } from '../../support/listeners.js'
import { atCallSite, expectFunction, expectOptions } from '../errors/arguments.js'
import { MockError } from '../errors/mock-errors.js'
import type { ScenarioFolder } from '../http/call.js'
import type { FlagCoverage } from '../sessions/flag-coverage.js'
import type { JournalEntry } from '../sessions/journal.js'
import type { Session } from '../sessions/session.js'
import { UNNAMED } from '../sessions/sessions.js'
import type { SourcedFixture } from '../sessions/start.js'
import { MockCore } from './core.js'
import type { MockOptions } from './options.js'
import { CORE, MockSession } from './session.js'

export type { MockOptions }

/** A whole Unleash instance in memory: the shared session, and all others. Instances share nothing. */
export class Mock extends MockSession implements AsyncDisposable {
  /** @internal */
  constructor(...parts: ConstructorParameters<typeof MockCore>) {
    super(UNNAMED, new MockCore(...parts))
  }

  /** The start of every link in a response. */
  get baseUrl(): string {
    return this[CORE].baseUrl
  }

  /**
   * Replaces the scenarios and fixtures given to `createMock`, and restarts all worlds. Throws, and changes nothing, if
   * they are invalid.
   */
  reload(sources: Pick<MockOptions, 'scenarios' | 'fixtures'>): void {
    atCallSite(Mock.prototype.reload, () => {
      expectOptions(sources, 'mock.reload', ['scenarios', 'fixtures'])
      this[CORE].reload(sources)
    })
  }

  /** Calls a listener for each request of every session. Returns a function that unsubscribes. */
  onRequest(listener: (entry: JournalEntry, session: string) => void): () => void {
    atCallSite(Mock.prototype.onRequest, () => expectFunction(listener, 'mock.onRequest'))
    return inEverySession(this, listener, ({ name, journal }, own) => journal.onEntry((entry) => own(entry, name)))
  }

  /** Calls a listener after each change of data or scenario in any session. Returns a function that unsubscribes. */
  onChange(listener: (session: string) => void): () => void {
    atCallSite(Mock.prototype.onChange, () => expectFunction(listener, 'mock.onChange'))
    return inEverySession(this, listener, (session, own) => session.onChange(() => own(session.name)))
  }

  /**
   * The states in which each feature was served to SDKs, and in which they asked for it, in all sessions since the mock was
   * created. It contains the active features, and names that SDKs asked for though no such feature exists.
   */
  flagCoverage(): FlagCoverage[] {
    const { coverage, sessions } = this[CORE]
    return coverage.report(sessions.unnamed.world()).flags
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this[CORE].sessions.dispose()
  }
}

/** Subscribes to all sessions, including later ones. Returns a function that unsubscribes. */
function inEverySession<Args extends readonly unknown[]>(
  mock: Mock,
  listener: (...args: Args) => void,
  subscribe: (session: Session, own: (...args: Args) => void) => void,
): () => void {
  let hasEnded = false
  const own = isolated((...args: Args) => {
    if (!hasEnded) listener(...args)
  })
  const stop = mock[CORE].sessions.observe((session) => subscribe(session, own))
  return () => {
    hasEnded = true
    stop()
  }
}

/** Listeners that receive each mock that `createMock` creates. */
export const mockListeners = new Set<(mock: Mock) => void>()

/** Creates a mock with fixtures whose files its errors name, and with a folder for its saved scenarios. */
export function createMockOf(
  options: Omit<MockOptions, 'fixtures'>,
  fixtures: readonly SourcedFixture[],
  folder?: ScenarioFolder,
): Mock {
  const mock = new Mock(options, fixtures, folder)
  for (const listener of mockListeners) listener(mock)
  return mock
}

/**
 * Creates a mock. Throws a `MockError` for an invalid option, an unknown scenario or an invalid fixture.
 *
 * @example
 * const mock = createMock({ seed: 1, now: '2026-11-20T12:00:00Z' })
 * const response = await mock.fetch(new Request('http://localhost/api/admin/projects', {
 *   headers: { authorization: '*:*.mock-admin' },
 * }))
 */
export function createMock(options: MockOptions = {}): Mock {
  const mock = atCallSite(createMock, () => {
    if (isObject(options) && options.seed === undefined && Reflect.get(globalThis, 'crypto') === undefined)
      throw noCrypto()
    return new Mock(options)
  })
  for (const listener of mockListeners) listener(mock)
  return mock
}

/** React Native has no `crypto`. */
function noCrypto(): MockError {
  return new MockError(
    'INVALID_OPTION',
    'This runtime has no crypto, so createMock needs the option seed for its ids and secrets.',
    'Pass a seed, such as createMock({ seed: 1 }), or load a polyfill, such as react-native-get-random-values.',
  )
}
