import { MockError } from '../contract/mock-errors.js'
import { loginCookie } from '../resources/people/login.js'
import { addLogin } from '../resources/people/login.model.js'
import { distinctNames, scenarioNames } from '../scenarios/catalogue.js'
import { type ActiveRule, forceRuleSchema } from '../scenarios/force-rule.js'
import type { HistoryEntry, RecordChange } from '../sessions/history.js'
import { isSecretField, REDACTED, redactRecord } from '../sessions/redact.js'
import type { Session } from '../sessions/session.js'
import type { World } from '../sessions/world.js'
import { expectGiven } from '../state/state-fault.js'
import type { Duration } from '../support/calendar.js'
import type { SetClockOptions } from '../support/clock.js'
import { show } from '../support/json.js'
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
 * What can be done to a session and to the world that a control call names, as far as it is checked, or is a step of the
 * history: all else is asked of the session itself. In process it stands behind the members of a mock, by HTTP behind the
 * rows of the control API.
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
    const { catalogue, switchedTo } = this.#session
    return catalogue
      .all()
      .filter(({ name }) => switchedTo.includes(name) || !catalogue.isFromLink(name))
      .map(({ name, title, promise }) => ({ name, title, promise, active: switchedTo.includes(name) }))
  }

  switchTo(given: readonly string[]): string[] {
    this.#session.switchTo(this.#startable(given))
    return [...this.#session.switchedTo]
  }

  restart(given: readonly string[]): void {
    this.#session.restart(this.#startable(given))
  }

  #startable(given: readonly string[]): string[] {
    const names = scenariosNamed(given)
    this.#session.catalogue.assertNoneFromLink(names)
    return names
  }

  replaceState(given: unknown, source = 'The snapshot'): void {
    const { world } = this
    world.change({ what: 'restore', title: 'Replace the state' }, () =>
      world.load(given, { source, replacesAll: true }),
    )
  }

  addState(given: unknown, source = 'The state'): void {
    const { world } = this
    world.change({ what: 'add', title: 'Add to the state' }, () => world.load(given, { source, replacesAll: false }))
  }

  clock(): ClockState {
    const { clock } = this.#world()
    return { now: clock.now().toISOString(), frozen: clock.frozen }
  }

  setClock(date: Date | string | number, options: SetClockOptions = {}): void {
    this.#moveClock('Set the clock', ({ clock }) => {
      checkSetOptions(options)
      clock.set(date, options)
    })
  }

  advanceClock(duration: Duration): void {
    this.#moveClock('Advance the clock', ({ clock }) => {
      checkLength(duration)
      clock.advance(duration)
    })
  }

  releaseClock(): void {
    this.#moveClock('Release the clock', ({ clock }) => clock.release())
  }

  force(given: unknown): ActiveRule {
    const rule = expectGiven(forceRuleSchema, given, invalidRule)
    return this.#changeRules(`Force ${rule.operation}`, ({ rules }) => rules.add(rule))
  }

  unforce(id: string): void {
    const { rules } = this.#world()
    const found = rules.all().find((active) => active.id === id)
    if (found !== undefined) {
      this.#changeRules(`Force ${found.rule.operation} no longer`, () => rules.remove(id))
      return
    }
    throw new MockError('UNKNOWN_RULE', `There is no force rule "${id}".`, 'GET /__mock/forced lists those in force.')
  }

  clearForced(): void {
    this.#changeRules('Remove all force rules', ({ rules }) => rules.clear())
  }

  /** The moments that the world can go to, oldest first. */
  history(): HistoryEntry[] {
    return this.#session.moments(this.world)
  }

  /** Returns where it is now; undefined if there was nothing to undo. */
  undo(): HistoryEntry | undefined {
    return this.#session.step(this.world, -1) ? this.#moment() : undefined
  }

  /** Returns where it is now; undefined if there was nothing to redo. */
  redo(): HistoryEntry | undefined {
    return this.#session.step(this.world, 1) ? this.#moment() : undefined
  }

  goTo(id: number): HistoryEntry | undefined {
    if (this.#session.goTo(id)) return this.#moment()
    throw unknownMoment(id)
  }

  /** The records that the step to a moment changed, which is named as text. Throws `UNKNOWN_COMMIT`. */
  changesAt(given: string): RecordChange[] {
    const id = /^\d+$/.test(given) ? Number(given) : undefined
    const changes = id === undefined ? undefined : this.#session.changesAt(id)
    if (changes !== undefined) return changes.map(withoutSecrets)
    throw unknownMoment(id ?? given)
  }

  /** Where the session is. After it was switched, that is not the world that was asked for. */
  #moment(): HistoryEntry | undefined {
    return this.#session.moments(this.#world()).find(({ current }) => current)
  }

  /** Signs a user in without a password. Returns the `Set-Cookie` header. Throws `INVALID_REQUEST`. */
  signIn(userId: number): string {
    const { data, clock, ids } = this.world
    const login = data.transact((tables) => {
      return tables.users.has(userId) ? addLogin(userId, { tables, now: clock.now(), ids }) : undefined
    })
    if (login !== undefined) return loginCookie(login)
    throw new MockError('INVALID_REQUEST', `There is no user ${userId}.`, 'GET /__mock/state lists the users.')
  }

  #changeRules<Result>(title: string, change: (world: World) => Result): Result {
    const world = this.#world()
    return this.#session.set(world, { what: 'force', title }, 'rules', () => change(world))
  }

  #moveClock(title: string, move: (world: World) => void): void {
    const world = this.#world()
    try {
      this.#session.set(world, { what: 'clock', title }, 'clock', () => move(world))
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

function invalidRule(list: string): MockError {
  return new MockError(
    'INVALID_RULE',
    sentence(`The force rule is not well-formed: ${list}`),
    'A rule has an operation (or *) and any of match, status, error, body, headers, delay, fault, after, times.',
  )
}

/** A change of a record as it may be shown. What a record is known by may be its secret. */
function withoutSecrets({ table, key, before, after }: RecordChange): RecordChange {
  const shown = (record: object | undefined) => record && { ...(redactRecord(table, record) as object) }
  const isHidden = Object.entries(after ?? before ?? {}).some(
    ([name, value]) => value === key && isSecretField(table, name),
  )
  return { table, key: isHidden ? REDACTED : key, before: shown(before), after: shown(after) }
}

function unknownMoment(id: number | string): MockError {
  return new MockError(
    'UNKNOWN_COMMIT',
    `The history has no moment with the id ${show(id)}.`,
    'GET /__mock/history, or mock.history.list(), lists those that there are.',
  )
}
