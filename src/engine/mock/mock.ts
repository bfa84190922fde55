import { atCallSite, expectFunction, expectOptions } from '../../service/contract/arguments.js'
import { isolated } from '../../support/listeners.js'
import type { JournalEntry } from '../sessions/journal-entry.js'
import { UNNAMED } from '../sessions/sessions.js'
import { MockCore } from './core.js'
import type { MockOptions } from './options.js'
import { CORE, MockSession } from './session.js'

export type { MockOptions }

/** A whole service in memory: the unnamed session, and all others. It shares nothing with other instances. */
export class Mock extends MockSession implements AsyncDisposable {
  /** @internal */
  constructor(options: MockOptions) {
    super(UNNAMED, new MockCore(options))
  }

  /** The start of every link in a response. */
  get baseUrl(): string {
    return this[CORE].baseUrl
  }

  /**
   * Replaces the scenarios and fixtures that were given to `createMock`, and restarts all worlds.
   * Throws, and changes nothing, if they are invalid.
   */
  reload(sources: Pick<MockOptions, 'scenarios' | 'fixtures'>): void {
    atCallSite(Mock.prototype.reload, () => {
      expectOptions(sources, 'mock.reload', ['scenarios', 'fixtures'])
      this[CORE].reload(sources)
    })
  }

  /** Calls back for each request of every session. Returns a function that unsubscribes. */
  onRequest(listener: (entry: JournalEntry, session: string) => void): () => void {
    atCallSite(Mock.prototype.onRequest, () => expectFunction(listener, 'mock.onRequest'))
    const own = isolated(listener)
    return this[CORE].sessions.observe((session) => session.journal.onEntry((entry) => own(entry, session.name)))
  }

  /** Calls back after each change of the unnamed session's data or scenario. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    atCallSite(Mock.prototype.onChange, () => expectFunction(listener, 'mock.onChange'))
    const { unnamed } = this[CORE].sessions
    const stops = [unnamed.onCommit(() => listener()), unnamed.onSwitch(() => listener())]
    return () => {
      for (const stop of stops) stop()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this[CORE].sessions.dispose()
  }
}

/** Who is called with each mock that `createMock` makes. */
export const mockListeners = new Set<(mock: Mock) => void>()

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
  const mock = atCallSite(createMock, () => new Mock(options))
  for (const listener of mockListeners) listener(mock)
  return mock
}
