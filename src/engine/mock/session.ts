import { displayNameOf } from '../../service/resources/people/users.js'
import { INSPECT, type Inspect, type InspectOptions, onScreen } from '../../support/inspect.js'
import type { MockData } from '../data/relations.js'
import { atCallSite, expectString, invalidArgument, withCallerStacks } from '../errors/arguments.js'
import { BrokenConnection } from '../http/answer.js'
import { answerInProcess, type PublicApp, toRequest } from '../http/app.js'
import type { ScenarioState } from '../scenarios/catalogue.js'
import type { ForceRule } from '../scenarios/force-rule.js'
import { flagStatesSchema, type Scenario, type ScenarioName } from '../scenarios/scenario.js'
import { expectSelection } from '../scenarios/selection.js'
import { addRule, addState, disable, enable, removeRule, replaceState, setVariant } from '../sessions/actions.js'
import type { HistoryEntry } from '../sessions/history.js'
import { lineOf } from '../sessions/journal.js'
import type { Session } from '../sessions/session.js'
import type { World } from '../sessions/world.js'
import type { PartialState } from '../state/partial-state.js'
import type { AsJson, State } from '../state/state.js'
import type { ServiceFile } from '../transfer/service-file.js'
import { createClient, type FlagClient, type FlagContext, type FlagReader } from './client.js'
import { createMockClock, type MockClock } from './clock.js'
import type { MockCore } from './core.js'
import { assertNone, expectNames, readVariant, unreadableStates, type VariantForEverybody } from './misuse.js'
import { createReads, type WorldReads } from './reads.js'
import { createRequests, type MockRequests } from './requests.js'

/** The key under which adapters find the parts of a mock, also of another copy of this package. */
export const CORE: unique symbol = Symbol.for('flagdouble')

/** A scenario by name, comma-separated names, or your own scenario. */
export type ScenarioGiven = ScenarioName | Scenario

/** The history of the session's current world. Each change can be undone. */
export interface MockHistory {
  /** The history entries, oldest first. One of them is current. */
  list(): HistoryEntry[]
  /**
   * Undoes the last step. Right after a switch of scenario, returns to the previous world, unchanged. Returns the current
   * entry; undefined if there was nothing to undo.
   */
  undo(): HistoryEntry | undefined
  /** Redoes the last undone step. Returns the current entry; undefined if there was nothing to redo. */
  redo(): HistoryEntry | undefined
  /** Goes to a history entry of any world of the session, by its ID. Throws `UNKNOWN_COMMIT`. */
  goTo(id: number): void
}

/** An isolated tester of a mock, with its own data, scenario, clock and journal. The mock is the shared session. */
export class MockSession implements WorldReads {
  readonly name: string
  /** @internal */
  readonly [CORE]: MockCore
  readonly #session = () => sessionOf(this)
  readonly #world = () => worldOf(this)
  readonly #reads = createReads(this.#world, () => this[CORE])
  readonly clock: MockClock = createMockClock(() => this.#session().world())
  readonly requests: MockRequests = createRequests(() => this.#session().journal)
  /** The history of the current world, with undo and redo. */
  readonly history: MockHistory = withCallerStacks<MockHistory>({
    list: () => this.#session().history.list(this.#world()),
    undo: () => this.#step(-1),
    redo: () => this.#step(1),
    goTo: (id) => this.#session().history.goTo(id),
  })
  readonly features = this.#reads.features
  readonly signupTokens = this.#reads.signupTokens
  readonly users = this.#reads.users
  readonly projects = this.#reads.projects
  readonly events = this.#reads.events

  /** @internal */
  constructor(name: string, core: MockCore) {
    this.name = name
    this[CORE] = core
  }

  #step(by: -1 | 1): HistoryEntry | undefined {
    const session = this.#session()
    session.world().ready()
    const isMade = session.history.step(by)
    return isMade ? session.history.list(session.world()).find(({ current }) => current) : undefined
  }

  /** The API as a Hono app. */
  get app(): PublicApp {
    return this[CORE].app as unknown as PublicApp
  }

  /** Settles when the active scenario's generated data has loaded. Settles at once without generated data. */
  get ready(): Promise<void> {
    return sessionOf(this).ready()
  }

  /**
   * Handles a request in this session, unless the request names another. Rejects like `fetch` if a scenario breaks the
   * connection. Takes the same as `fetch`, and also a path such as `/api/admin/projects`.
   */
  readonly fetch = async (input: Request | URL | string, init?: RequestInit): Promise<Response> => {
    const request = toRequest(input, init)
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
   * list. States of flags alone, such as `new-checkout:off`, restart nothing. Throws `UNKNOWN_SCENARIO` or `INVALID_SCENARIO`.
   */
  useScenario(...scenarios: readonly ScenarioGiven[] | readonly [list: readonly ScenarioGiven[]]): void {
    atCallSite(MockSession.prototype.useScenario, () => {
      const [list] = scenarios
      const isList = Array.isArray(list) && scenarios.length === 1
      const given = (isList ? list : scenarios) as readonly ScenarioGiven[]
      if (given.some((one) => Array.isArray(one))) {
        throw invalidArgument('mock.useScenario', 'scenarios, or one list of them', scenarios)
      }
      const session = sessionOf(this)
      for (const scenario of given) if (typeof scenario !== 'string') session.catalogue.add(scenario)
      session.switchTo(
        expectSelection(given.map((scenario) => (typeof scenario === 'string' ? scenario : scenario.name))),
      )
    })
  }

  /** The names of the session's current scenarios, without states of flags. */
  get activeScenarios(): ScenarioName[] {
    return [...sessionOf(this).selection.scenarios]
  }

  /**
   * Tells SDKs exactly these states of flags in place of the data: `on`, `off`, `gone` or a variant; `*` stands for all
   * flags. `{}` ends all states. It starts nothing, and changes no data. Throws `UNKNOWN_SCENARIO` for a misspelt name.
   *
   * @example
   * mock.tellFlags({ 'new-checkout': 'off', button: 'blue' })
   */
  tellFlags(states: Readonly<Record<string, string>>): void {
    atCallSite(MockSession.prototype.tellFlags, () => {
      const given = flagStatesSchema.safeParse(states)
      if (!given.success) throw unreadableStates(states)
      sessionOf(this).switchTo({ scenarios: [], states: new Map(Object.entries(states)) })
    })
  }

  /** The states of flags that the session's SDKs are told in place of the data, without those of its scenarios. */
  get toldFlags(): Record<string, string> {
    return Object.fromEntries(sessionOf(this).selection.states)
  }

  /** All known scenarios, and whether each is active. */
  get scenarios(): ScenarioState[] {
    const { catalogue, selection } = sessionOf(this)
    return catalogue.states(selection.scenarios)
  }

  /**
   * @msw/data collections of all records. Each call updates them: call again after a change. They stay the same objects. Writing to them doesn't change the mock.
   *
   * @example
   * const { features } = await mock.data()
   * features.findMany((q) => q.where({ stale: true }), { orderBy: { name: 'asc' } })
   */
  async data(): Promise<MockData> {
    await this.ready
    return this[CORE].data.collections(sessionOf(this), () => worldOf(this).data)
  }

  /** Starts over: data, clock, rules, IDs, active scenario, journal. You can pass it as a hook. */
  readonly reset = (): void => sessionOf(this).reset()

  /** A snapshot, as plain JSON. */
  state(): State {
    return atCallSite(MockSession.prototype.state, () => worldOf(this).snapshot())
  }

  /** Replaces everything by a snapshot. Throws `INVALID_STATE`, and changes nothing, if it is invalid. */
  restore(snapshot: AsJson<PartialState>): void {
    atCallSite(MockSession.prototype.restore, () => replaceState(worldOf(this), snapshot))
  }

  /**
   * Adds records, changes the given fields of records with the same key, or adds the contents of Unleash's export file.
   * Throws `INVALID_STATE`, and changes nothing, if they are invalid.
   */
  add(state: AsJson<PartialState | ServiceFile>): void {
    atCallSite(MockSession.prototype.add, () => addState(worldOf(this), state))
  }

  /**
   * Enables features for everyone, in every environment: without a strategy for everyone, they get one. Creates missing
   * features. Throws `INVALID_ARGUMENT`, and changes nothing, for an invalid name.
   */
  enable(...names: string[]): void {
    atCallSite(MockSession.prototype.enable, () => {
      expectNames(names, 'mock.enable')
      enable(sessionOf(this), names)
    })
  }

  /** Disables features in every environment. Creates missing features. Throws as `enable` does. */
  disable(...names: string[]): void {
    atCallSite(MockSession.prototype.disable, () => {
      expectNames(names, 'mock.disable')
      disable(sessionOf(this), names)
    })
  }

  /**
   * Enables a feature, and gives everyone this variant, in every environment. It replaces all other variants, including those of strategies. Throws as `enable` does.
   *
   * @example
   * mock.setVariant('new-checkout', { name: 'blue', payload: { type: 'string', value: '#00f' } })
   */
  setVariant(name: string, variant: string | VariantForEverybody): void {
    atCallSite(MockSession.prototype.setVariant, () => {
      expectNames([name], 'mock.setVariant')
      const given = readVariant(variant)
      setVariant(sessionOf(this), name, given)
    })
  }

  /**
   * A client for a user, with the members of the SDK `unleash-proxy-client`. It reads the session's flags directly, without
   * requests or waiting. Throws `INVALID_OPTION` or `INVALID_ARGUMENT` for an invalid context.
   *
   * @example
   * <FlagProvider unleashClient={mock.client({ userId: '7' })}>
   */
  client<Client extends FlagReader = FlagClient>(context: FlagContext = {}): Client {
    const client = atCallSite(MockSession.prototype.client, () => createClient(() => sessionOf(this), context))
    // The class of the SDK has private members, so only its own instances would have its type.
    return client as FlagReader as Client
  }

  /** Overrides the response of an operation. Returns a function that removes the rule. Throws `INVALID_RULE`. */
  force(rule: ForceRule): () => void {
    const session = sessionOf(this)
    const world = session.world()
    const { id, rule: added } = atCallSite(MockSession.prototype.force, () => addRule(world, rule))
    session.addedRules.set(added, session.journal.lastId)
    return () => {
      session.addedRules.delete(added)
      if (world.rules.all().some((active) => active.id === id)) removeRule(world, id)
    }
  }

  /** @internal The console output. */
  [INSPECT](_depth: number, options: InspectOptions, inspect: Inspect): string {
    const title = this.name === '' ? 'Mock' : `Session ${inspect(this.name, options)}`
    return `${title} ${onScreen(summaryOf(this), options, inspect)}`
  }

  /** Throws `UNMATCHED_REQUESTS`, with a list, if no operation handled some requests. */
  assertNoUnmatched(): void {
    atCallSite(MockSession.prototype.assertNoUnmatched, () => assertNone(this.requests.unmatched()))
  }
}

/** A mock's state at a glance. */
function summaryOf(session: MockSession): object {
  const { data, clock } = sessionOf(session).world()
  const { features, projects, users, signupTokens } = data.tables
  const requests = session.requests.all()
  return {
    scenario: sessionOf(session).activeNames.join(','),
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

/** Looked up at each use: a session that was dropped when idle opens again. */
export function sessionOf({ name, [CORE]: core }: MockSession): Session {
  return core.sessions.open(name)
}

/** The session's current world. Throws `NOT_READY` while generated data is missing. */
function worldOf(session: MockSession): World {
  return sessionOf(session).world().ready()
}
