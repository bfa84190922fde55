import { atCallSite, callable, expectString, invalidArgument } from '../../service/contract/arguments.js'
import {
  disableForEverybody,
  enableForEverybody,
  givenVariantSchema,
} from '../../service/resources/flags/for-everybody.js'
import { displayNameOf } from '../../service/resources/people/users.js'
import { INSPECT, type Inspect, type InspectOptions, onScreen } from '../../support/inspect.js'
import { Control, type ScenarioState } from '../control/control.js'
import type { MockData } from '../data/relations.js'
import { BrokenConnection } from '../http/answer.js'
import { answerInProcess, type PublicApp } from '../http/app.js'
import type { ForceRule } from '../scenarios/force-rule.js'
import type { Scenario, ScenarioName } from '../scenarios/scenario.js'
import type { HistoryEntry } from '../sessions/history.js'
import { lineOf } from '../sessions/journal.js'
import type { Session } from '../sessions/session.js'
import type { AsJson, PartialState } from '../state/partial-state.js'
import type { State } from '../state/state.js'
import type { ServiceFile } from '../transfer/service-file.js'
import { createMockClock, type MockClock } from './clock.js'
import type { MockCore } from './core.js'
import { assertNone, expectNames, notARequest } from './misuse.js'
import { createReads, type WorldReads } from './reads.js'
import { createRequests, type MockRequests } from './requests.js'

/** Where adapters find the parts of a mock, also those of another copy of this package. */
export const CORE: unique symbol = Symbol.for('flagdouble')

/** A scenario by name, several names joined by commas, or a scenario of your own. */
export type ScenarioGiven = ScenarioName | Scenario

/** A variant that everybody gets, with what it brings for the app. */
export interface VariantForEverybody {
  name: string
  payload?: { type: 'string' | 'json' | 'csv' | 'number'; value: string } | undefined
}

const VARIANT =
  'the name of a variant, or { name, payload: { type, value } } with a type of string, json, csv or number'

/** What was done to the world that a session is switched to. Each change is a step that can be undone. */
export interface MockHistory {
  /** The moments that the world can go to, oldest first. One of them is the current one. */
  list(): HistoryEntry[]
  /**
   * Undoes the last step. Right after a switch of scenario, goes back to the world that was left, as it is.
   * Returns where the session is now; undefined if there was nothing to undo.
   */
  undo(): HistoryEntry | undefined
  /** Redoes what was undone last. Returns where the session is now; undefined if there was nothing to redo. */
  redo(): HistoryEntry | undefined
  /** Goes to a moment of any world of the session, by its id. Throws `UNKNOWN_COMMIT`. */
  goTo(id: number): void
}

/** An isolated user of a mock, with data, scenario, clock and journal of its own. The mock is the unnamed session. */
export class MockSession implements WorldReads {
  readonly name: string
  /** @internal */
  readonly [CORE]: MockCore
  readonly clock: MockClock
  readonly requests: MockRequests
  /** Where the world has been, and the ways back and forth. */
  readonly history: MockHistory
  declare readonly features: WorldReads['features']
  declare readonly signupTokens: WorldReads['signupTokens']
  declare readonly users: WorldReads['users']
  declare readonly projects: WorldReads['projects']
  declare readonly events: WorldReads['events']

  /** @internal */
  constructor(name: string, core: MockCore) {
    this.name = name
    this[CORE] = core
    const control = () => controlOf(this)
    this.clock = createMockClock(control, () => sessionOf(this).world().clock)
    this.requests = createRequests(() => sessionOf(this).journal)
    this.history = callable<MockHistory>({
      list: () => control().history(),
      undo: () => control().step(-1),
      redo: () => control().step(1),
      goTo: (id) => {
        control().goTo(id)
      },
    })
    Object.assign(
      this,
      createReads(() => control().world, core),
    )
  }

  /** The service as a Hono app. */
  get app(): PublicApp {
    return this[CORE].app as unknown as PublicApp
  }

  /** Settles when generated data of the active scenario is in place. Settles at once where there is none. */
  get ready(): Promise<void> {
    return sessionOf(this).world().loading ?? Promise.resolve()
  }

  /**
   * Answers a request in this session, unless the request names another one. Rejects as `fetch` does where a scenario
   * breaks the connection. It can be passed on as a `fetch` function.
   */
  readonly fetch = async (request: Request): Promise<Response> => {
    if (typeof request?.url !== 'string') throw notARequest(request)
    try {
      return await answerInProcess(this[CORE].service, request, sessionOf(this))
    } catch (error) {
      throw error instanceof BrokenConnection ? error.reason : error
    }
  }

  /** Opens a session by its name. Default: this one. */
  session(name: string = this.name): MockSession {
    return atCallSite(MockSession.prototype.session, () => {
      expectString(name, 'mock.session')
      this[CORE].sessions.open(name)
      return new MockSession(name, this[CORE])
    })
  }

  /**
   * Switches to scenarios, given by name or as objects, and restarts their world: `useScenario('slow', 'empty')`, or one
   * list of them. Throws `UNKNOWN_SCENARIO` or `INVALID_SCENARIO`.
   */
  useScenario(...scenarios: readonly ScenarioGiven[] | readonly [list: readonly ScenarioGiven[]]): void {
    atCallSite(MockSession.prototype.useScenario, () => {
      const [list] = scenarios
      const isList = Array.isArray(list) && scenarios.length === 1
      const given = (isList ? list : scenarios) as readonly ScenarioGiven[]
      if (given.some((one) => Array.isArray(one))) {
        throw invalidArgument('mock.useScenario', 'scenarios, or one list of them', scenarios)
      }
      const { catalogue } = sessionOf(this)
      for (const scenario of given) if (typeof scenario !== 'string') catalogue.add(scenario)
      controlOf(this).switchTo(given.map((scenario) => (typeof scenario === 'string' ? scenario : scenario.name)))
    })
  }

  /** The names of the scenarios that the session is switched to. */
  get activeScenarios(): ScenarioName[] {
    return [...sessionOf(this).switchedTo]
  }

  /** All known scenarios, and whether each is active. */
  get scenarios(): ScenarioState[] {
    return controlOf(this).scenarios()
  }

  /**
   * Collections of @msw/data of all records, brought up to date by this call. They don't follow by themselves: call again
   * after a change. They stay the same objects. What is written to them doesn't reach the mock.
   *
   * @example
   * const { features } = await mock.data()
   * features.findMany((q) => q.where({ stale: true }), { orderBy: { name: 'asc' } })
   */
  async data(): Promise<MockData> {
    await this.ready
    return this[CORE].data.of(sessionOf(this), () => controlOf(this).world.data)
  }

  /** Starts over: data, clock, force rules, ids, active scenario, journal. It can be passed on as a hook. */
  readonly reset = (): void => sessionOf(this).reset()

  /** A snapshot, as plain JSON. */
  state(): State {
    return atCallSite(MockSession.prototype.state, () => controlOf(this).world.snapshot())
  }

  /** Replaces everything with a snapshot. Throws `INVALID_STATE`, and changes nothing, if it is invalid. */
  restore(snapshot: AsJson<PartialState>): void {
    atCallSite(MockSession.prototype.restore, () => controlOf(this).replaceState(snapshot))
  }

  /**
   * Adds records, and changes those with the same key in what is given, or adds what a file of the service holds. Throws
   * `INVALID_STATE`, and changes nothing, if they are invalid.
   */
  add(state: AsJson<PartialState | ServiceFile>): void {
    atCallSite(MockSession.prototype.add, () => controlOf(this).addState(state))
  }

  /**
   * Switches features on for everybody, in every environment: where no strategy of theirs is for everybody, one is added.
   * Those that don't exist are created. Throws `INVALID_ARGUMENT`, and changes nothing, for a name that none can have.
   */
  enable(...names: string[]): void {
    atCallSite(MockSession.prototype.enable, () => {
      expectNames(names, 'mock.enable')
      controlOf(this).setFeatures(`${names.join(', ')} switched on everywhere`, (context) => {
        for (const name of names) enableForEverybody(context, name)
      })
    })
  }

  /** Switches features off in every environment. Those that don't exist are created. Throws as `enable` does. */
  disable(...names: string[]): void {
    atCallSite(MockSession.prototype.disable, () => {
      expectNames(names, 'mock.disable')
      controlOf(this).setFeatures(`${names.join(', ')} switched off everywhere`, (context) => {
        for (const name of names) disableForEverybody(context, name)
      })
    })
  }

  /**
   * Enables a feature, and gives everybody this variant of it, in every environment. It takes the place of all others, those
   * of strategies included. Throws as `enable` does.
   *
   * @example
   * mock.setVariant('new-checkout', { name: 'blue', payload: { type: 'string', value: '#00f' } })
   */
  setVariant(name: string, variant: string | VariantForEverybody): void {
    atCallSite(MockSession.prototype.setVariant, () => {
      expectNames([name], 'mock.setVariant')
      const given = givenVariantSchema.safeParse(variant)
      if (!given.success) throw invalidArgument('mock.setVariant', VARIANT, variant)
      controlOf(this).setFeatures(`${name} switched on everywhere with one variant`, (context) =>
        enableForEverybody(context, name, given.data),
      )
    })
  }

  /** Forces the answer of an operation. Returns a function that removes the rule. Throws `INVALID_RULE`. */
  force(rule: ForceRule): () => void {
    const session = sessionOf(this)
    const world = session.world()
    const control = new Control(session, () => world)
    const { id } = atCallSite(MockSession.prototype.force, () => control.force(rule))
    return () => {
      if (world.rules.all().some((active) => active.id === id)) control.unforce(id)
    }
  }

  /** @internal What consoles print. */
  [INSPECT](_depth: number, options: InspectOptions, inspect: Inspect): string {
    const title = this.name === '' ? 'Mock' : `Session ${inspect(this.name, options)}`
    return `${title} ${onScreen(summaryOf(this), options, inspect)}`
  }

  /** Throws `UNMATCHED_REQUESTS`, with a list, if there were requests that no operation answers. */
  assertNoUnmatched(): void {
    atCallSite(MockSession.prototype.assertNoUnmatched, () => assertNone(this.requests.unmatched()))
  }
}

/** What a person wants to know about a mock at a glance. */
function summaryOf(session: MockSession): object {
  const { data, clock } = sessionOf(session).world()
  const { features, projects, users, signupTokens } = data.tables
  const requests = session.requests.all()
  return {
    scenario: session.activeScenarios.join(','),
    baseUrl: session[CORE].baseUrl,
    now: `${clock.now().toISOString()}${clock.frozen ? ' (frozen)' : ''}`,
    projects: projects.list().map(({ id }) => id),
    features: features.list().map(({ name }) => name),
    users: users.list().map(displayNameOf),
    signupTokens: signupTokens.list().length,
    requests: requests.length,
    lastRequests: requests.slice(-5).map(lineOf),
  }
}

/** Looked up at each use: a session that was dropped for being idle is opened again. */
export function sessionOf({ name, [CORE]: core }: MockSession): Session {
  return core.sessions.open(name)
}

function controlOf(session: MockSession): Control {
  return new Control(sessionOf(session))
}
