import { MockError } from '../contract/mock-errors.js'
import { distinctNames, scenarioNames } from '../scenarios/catalogue.js'
import { type ActiveRule, forceRuleSchema } from '../scenarios/force-rule.js'
import type { JournalFilter } from '../sessions/journal.js'
import type { JournalEntry } from '../sessions/journal-entry.js'
import type { Session } from '../sessions/session.js'
import type { World } from '../sessions/world.js'
import type { State } from '../state/state.js'
import { describeIssue } from '../state/state-fault.js'
import type { Duration } from '../support/calendar.js'
import type { SetClockOptions } from '../support/clock.js'
import { listFaults, parseLarge } from '../support/parse.js'
import { sentence } from '../support/text.js'
import { checkLength, checkSetOptions } from './clock-values.js'

/** Where a clock stands. */
export interface ClockState {
  now: string
  frozen: boolean
}

export interface ScenarioState {
  name: string
  title: string
  promise: string
  active: boolean
}

/**
 * What can be done to a session and to the world that a control call names. There is one such interface: in process it
 * stands behind the members of a mock, by HTTP behind the rows of the control API.
 */
export class Control {
  readonly #session: Session
  readonly #world: () => World

  constructor(session: Session, world: () => World = () => session.world()) {
    this.#session = session
    this.#world = world
  }

  /** The world that is controlled, its data in place. */
  get world(): World {
    const world = this.#world()
    world.assertReady()
    return world
  }

  scenarios(): ScenarioState[] {
    const active = this.activeScenarios()
    return this.#session.catalogue
      .all()
      .map(({ name, title, promise }) => ({ name, title, promise, active: active.includes(name) }))
  }

  activeScenarios(): string[] {
    return [...this.#session.switchedTo]
  }

  switchTo(given: readonly string[]): string[] {
    this.#session.switchTo(scenariosNamed(given))
    return this.activeScenarios()
  }

  /** Tells of the rules of the active scenarios that can never apply. */
  idleRules(): string | undefined {
    return this.#session.catalogue.idleRules(this.#session.switchedTo)
  }

  /** Back to the scenario that the session started with. */
  switchBack(): void {
    this.#session.switchBack()
  }

  restart(given: readonly string[]): void {
    this.#session.restart(scenariosNamed(given))
  }

  reset(): void {
    this.#session.reset()
  }

  state(): State {
    return this.world.snapshot()
  }

  replaceState(given: unknown, source = 'The snapshot'): void {
    this.#load(given, source, true)
  }

  addState(given: unknown, source = 'The state'): void {
    this.#load(given, source, false)
  }

  requests(filter: JournalFilter = {}): JournalEntry[] {
    return this.#session.journal.find(filter)
  }

  clearRequests(): void {
    this.#session.journal.clear()
  }

  clock(): ClockState {
    const { clock } = this.#world()
    return { now: clock.now().toISOString(), frozen: clock.frozen }
  }

  setClock(date: Date | string | number, options: SetClockOptions = {}): void {
    this.#moveClock(() => {
      checkSetOptions(options)
      this.#world().clock.set(date, options)
    })
  }

  advanceClock(duration: Duration): void {
    this.#moveClock(() => {
      checkLength(duration)
      this.#world().clock.advance(duration)
    })
  }

  releaseClock(): void {
    this.#world().clock.release()
  }

  forced(): readonly ActiveRule[] {
    return this.#world().rules.all()
  }

  force(given: unknown): ActiveRule {
    const parsed = parseLarge(forceRuleSchema, given)
    if (parsed.success) return this.#world().rules.add(parsed.data)
    const faults = parsed.issues.map((issue) => describeIssue(issue, given))
    throw new MockError(
      'INVALID_RULE',
      sentence(`The force rule is not well-formed: ${listFaults(faults, parsed.complete)}`),
      'A rule has an operation (or *) and any of match, status, error, body, headers, delay, fault, after, times.',
    )
  }

  unforce(id: string): void {
    if (this.#world().rules.remove(id)) return
    throw new MockError('UNKNOWN_RULE', `There is no force rule "${id}".`, 'GET /__mock/forced lists those in force.')
  }

  clearForced(): void {
    this.#world().rules.clear()
  }

  #load(given: unknown, source: string, replacesAll: boolean): void {
    this.world.load(given, { source, replacesAll })
  }

  #moveClock(move: () => void): void {
    try {
      move()
    } catch (error) {
      const reason = error instanceof RangeError ? error.message : String(error)
      throw new MockError(
        'INVALID_CLOCK',
        reason,
        'Set it to a date, or advance it by { days, hours, minutes, seconds, ms }.',
      )
    }
  }
}

/**
 * The names of scenarios, each of which may be several joined by commas. Throws `INVALID_REQUEST` if there is none, and
 * `TOO_MANY_SCENARIOS`.
 */
function scenariosNamed(given: readonly string[]): string[] {
  const names = distinctNames(distinctNames(given).flatMap(scenarioNames))
  if (names.length > 0) return names
  throw new MockError('INVALID_REQUEST', 'No scenario is named.', 'GET /__mock/scenarios lists them.')
}
