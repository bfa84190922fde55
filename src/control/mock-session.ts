import { operationIds } from '../api/operations.js'
import { MockError } from '../contract/mock-errors.js'
import type { Profile } from '../contract/profile.js'
import type { App, DoorBindings } from '../http/context.js'
import { BrokenConnection, type Delivery } from '../http/effects.js'
import type { Target } from '../http/match.js'
import type { Catalogue } from '../scenarios/catalogue.js'
import type { ForceRule } from '../scenarios/force-rule.js'
import type { Scenario } from '../scenarios/scenario.js'
import type { JournalEntry, JournalFilter } from '../sessions/journal.js'
import type { Sessions } from '../sessions/sessions.js'
import type { PartialState, State } from '../store/state.js'
import type { Duration } from '../support/duration.js'
import { show } from '../support/json-path.js'
import { didYouMean } from '../support/nearest.js'
import { Control } from './control.js'
import { createReads, type WorldReads } from './reads.js'

/** The clock of the world that a session is switched to. */
export interface MockClock {
  now(): Date
  /** Stops the clock at a date. */
  set(date: Date | string | number): void
  /** Moves it by milliseconds or `{ days, hours, minutes, seconds, ms }`; below zero, backwards. */
  advance(duration: Duration): void
  /** Back to the real time. */
  release(): void
  readonly frozen: boolean
}

/** What was asked of the service. */
export interface MockRequests {
  all(): JournalEntry[]
  find(filter?: JournalFilter): JournalEntry[]
  count(filter?: JournalFilter): number
  /** Those that no operation answered. */
  unmatched(): JournalEntry[]
  clear(): void
}

/** An isolated user of a mock: own data, scenario, clock and journal. The unnamed session is the mock itself. */
export interface MockSession extends WorldReads {
  readonly name: string
  /** The Hono app behind it. */
  readonly app: App
  /** Settled when generated data of the scenario in use is in place; at once where there is none. */
  readonly ready: Promise<void>
  /**
   * Answers a request in this session, unless the request names another one. Rejects as `fetch` does where a scenario
   * breaks the connection. A door says how it delivers what goes wrong.
   */
  fetch(request: Request, delivery?: Delivery): Promise<Response>
  /** What would answer a request: an operation, its path for other methods, the control API, or (undefined) nothing. */
  match(method: string, url: string): Target | undefined
  session(name?: string): MockSession
  /** Switches to scenarios, by name or as they are; their world starts afresh. Throws `UNKNOWN_SCENARIO`. */
  useScenario(...scenarios: (string | Scenario)[]): void
  readonly activeScenarios: string[]
  /** Everything as at the start: data, clock, forced rules, ids, the switch, the journal. */
  reset(): void
  /** A snapshot, plain JSON. */
  state(): State
  /** Replaces everything by a snapshot. Throws `INVALID_STATE`, and changes nothing, if it is not well-formed. */
  restore(snapshot: PartialState): void
  /** Adds records, replacing those of the same key. Throws `INVALID_STATE`, and changes nothing, likewise. */
  add(state: PartialState): void
  readonly clock: MockClock
  /** Makes an operation answer what it is told; the answer takes the rule back. Throws `INVALID_RULE`. */
  force(rule: ForceRule): () => void
  readonly requests: MockRequests
  /** Throws `UNMATCHED_REQUESTS`, with what came, if a request came that no operation answers. */
  assertNoUnmatched(): void
}

export interface SessionParts {
  sessions: Sessions
  catalogue: Catalogue
  profile: Profile
  baseUrl: () => string
  app: App
  match: MockSession['match']
}

/** The session of a name. It is looked up at each use, so it lives on if it was dropped for being idle. */
export function createMockSession(name: string, parts: SessionParts): MockSession {
  const { sessions, catalogue, app } = parts
  const open = () => sessions.open(name)
  const control = () => new Control(open(), catalogue)
  const reads = createReads(new Control(open(), catalogue, () => open().world()), parts.profile, parts.baseUrl)
  return {
    name,
    app,
    get ready() {
      return open().world().loading ?? Promise.resolve()
    },
    fetch: (request, delivery = {}) => fetchFrom(app, request, { session: open(), delivery }),
    match: parts.match,
    session: (other = name) => createMockSession(other, parts),
    useScenario(...scenarios) {
      for (const scenario of scenarios) if (typeof scenario !== 'string') catalogue.add(scenario)
      control().switchTo(scenarios.map((scenario) => (typeof scenario === 'string' ? scenario : scenario.name)))
    },
    get activeScenarios() {
      return control().activeScenarios()
    },
    reset: () => control().reset(),
    state: () => control().state(),
    restore: (snapshot) => control().replaceState(snapshot),
    add: (state) => control().addState(state),
    clock: {
      now: () => open().world().clock.now(),
      set: (date) => control().setClock(date),
      advance: (duration) => control().advanceClock(duration),
      release: () => control().releaseClock(),
      get frozen() {
        return control().clock().frozen
      },
    },
    force(rule) {
      const { rules } = open().world()
      const { id } = control().force(rule)
      return () => {
        rules.remove(id)
      }
    },
    requests: {
      all: () => open().journal.all(),
      find: (filter) => open().journal.find(checked(filter)),
      count: (filter) => open().journal.count(checked(filter)),
      unmatched: () => open().journal.find({ matched: false }),
      clear: () => open().journal.clear(),
    },
    assertNoUnmatched: () => assertNoUnmatched(open().journal.find({ matched: false })),
    ...reads,
  }
}

async function fetchFrom(app: App, request: Request, bindings: DoorBindings): Promise<Response> {
  if (typeof request?.url !== 'string') throw notARequest(request)
  try {
    return await app.fetch(request, bindings)
  } catch (error) {
    throw error instanceof BrokenConnection ? error.reason : error
  }
}

function notARequest(given: unknown): MockError {
  return new MockError(
    'INVALID_REQUEST',
    `A mock fetches a Request, not ${given instanceof URL ? 'a URL' : show(given)}.`,
    "Make one, with a whole URL: mock.fetch(new Request('http://localhost/api/admin/projects')).",
  )
}

/**
 * A filter for an operation that there is: another would find nothing, and a test that expects nothing would pass for the
 * wrong reason. (By HTTP, where the client may be of another version, it just finds nothing.)
 */
function checked(filter: JournalFilter = {}): JournalFilter {
  const { operation } = filter
  if (operation === undefined || operationIds.includes(operation)) return filter
  throw new MockError(
    'INVALID_REQUEST',
    `There is no operation "${operation}".${didYouMean(operation, operationIds)}`,
    '`operationIds` names all of them.',
  )
}

function assertNoUnmatched(entries: readonly JournalEntry[]): void {
  if (entries.length === 0) return
  const list = entries.map(({ method, path, status }) => `${method} ${path} → ${status}`).join('\n  ')
  throw new MockError(
    'UNMATCHED_REQUESTS',
    `${entries.length} ${entries.length === 1 ? 'request' : 'requests'} came that no operation answers:\n  ${list}`,
    'Mend the path in the client, or answer it with a handler of your own.',
  )
}
