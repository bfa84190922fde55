import { orRejection, Rejection } from '../../service/contract/errors.js'
import { MockError } from '../../service/contract/mock-errors.js'
import { anonymous } from '../../service/resources/people/callers.js'
import { loginCookie } from '../../service/resources/people/login.js'
import { addLogin, findPerson } from '../../service/resources/people/login.model.js'
import { displayNameOf } from '../../service/resources/people/users.js'
import type { OperationContext } from '../../service/resources/shared/context.js'
import type { Duration } from '../../support/calendar.js'
import type { SetClockOptions } from '../../support/clock.js'
import { show } from '../../support/json.js'
import { counted, sentence } from '../../support/text.js'
import { distinctNames, scenarioNames } from '../scenarios/catalogue.js'
import { type ActiveRule, type ForceRule, forceRuleSchema } from '../scenarios/force-rule.js'
import type { HistoryEntry, RecordChange } from '../sessions/history.js'
import { isSecretField, REDACTED, redactRecord } from '../sessions/redact.js'
import type { Session } from '../sessions/session.js'
import type { World } from '../sessions/world.js'
import { expectGiven } from '../state/state-fault.js'
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
  /** Whether it was saved here, so that it can be removed. */
  saved?: true
}

/** A user who is signed in in a session. */
export interface SignedInUser {
  user: number
  name: string
  /** Whether the sender of the call is. */
  here: boolean
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
    return catalogue.all().map(({ name, title, promise }) => ({
      name,
      title,
      promise,
      active: switchedTo.includes(name),
      ...(catalogue.saved.get(name) && { saved: true as const }),
    }))
  }

  switchTo(given: readonly string[]): string[] {
    this.#session.switchTo(scenariosNamed(given))
    return [...this.#session.switchedTo]
  }

  restart(given: readonly string[]): void {
    this.#session.restart(scenariosNamed(given))
  }

  keepData(): void {
    this.#session.keepData(this.world)
  }

  replaceState(given: unknown): void {
    const { world } = this
    world.change({ what: 'restore', title: 'The data was replaced' }, () =>
      world.load(given, { source: 'The snapshot', replacesAll: true }),
    )
  }

  addState(given: unknown): void {
    const { world } = this
    world.change({ what: 'add', title: 'Records were added' }, () =>
      world.load(given, { source: 'The state', replacesAll: false }),
    )
  }

  /** Switches features in every environment, as a step named by the title. Throws `INVALID_ARGUMENT` where one can't be. */
  setFeatures(title: string, change: (context: OperationContext) => void): void {
    const { world } = this
    const { clock, ids, data, logins } = world
    const caller = { ...anonymous, may: () => true }
    const outcome = orRejection(() =>
      world.change({ what: 'setFeatures', title }, () =>
        // The messages of integrations belong to a request in the journal, and here is none.
        data.transact((tables) =>
          change({ tables, caller, now: clock.now(), ids, logins, baseUrl: '', basePath: '', sent: [] }),
        ),
      ),
    )
    if (!(outcome instanceof Rejection)) return
    throw new MockError('INVALID_ARGUMENT', outcome.failure.message, 'Nothing was changed.')
  }

  clock(): ClockState {
    const { clock } = this.#world()
    return { now: clock.now().toISOString(), frozen: clock.frozen }
  }

  setClock(date: Date | string | number, options: SetClockOptions = {}): void {
    this.#moveClock(`The clock was set to ${momentOf(date)}`, ({ clock }) => {
      checkSetOptions(options)
      clock.set(date, options)
    })
  }

  advanceClock(duration: Duration): void {
    this.#moveClock(`The clock was advanced by ${lengthOf(duration)}`, ({ clock }) => {
      checkLength(duration)
      clock.advance(duration)
    })
  }

  releaseClock(): void {
    this.#moveClock('The clock went back to real time', ({ clock }) => clock.release())
  }

  force(given: unknown): ActiveRule {
    const rule = expectGiven(forceRuleSchema, given, invalidRule)
    return this.#changeRules(`A rule was added for ${subjectOf(rule)}`, ({ rules }) => rules.add(rule))
  }

  /** Changes a rule, or has it apply again: its requests are counted from 0. Throws `UNKNOWN_RULE` and `INVALID_RULE`. */
  reforce(id: string, given: unknown): ActiveRule {
    this.#ruleOf(id)
    const rule = expectGiven(forceRuleSchema, given, invalidRule)
    const title = `A rule was set again for ${subjectOf(rule)}`
    return this.#changeRules(title, ({ rules }) => rules.replace(id, rule) ?? rules.add(rule))
  }

  unforce(id: string): void {
    const rule = this.#ruleOf(id)
    this.#changeRules(`A rule was removed for ${subjectOf(rule)}`, ({ rules }) => rules.remove(id))
  }

  #ruleOf(id: string): ForceRule {
    const found = this.#world()
      .rules.all()
      .find((active) => active.id === id)
    if (found !== undefined) return found.rule
    throw new MockError('UNKNOWN_RULE', `There is no rule "${id}".`, 'GET /__mock/forced lists the current rules.')
  }

  clearForced(): void {
    this.#changeRules('All rules were removed', ({ rules }) => rules.clear())
  }

  /** The moments that the world can go to, oldest first. */
  history(): HistoryEntry[] {
    return this.world.history.list()
  }

  /** Undoes (-1) or redoes (1) a step. Returns where it is now; undefined if there was nothing to undo or redo. */
  step(by: -1 | 1): HistoryEntry | undefined {
    return this.#session.step(this.world, by) ? this.#moment() : undefined
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
    return this.#world()
      .history.list()
      .find(({ current }) => current)
  }

  /** Signs a user in without a password. Returns the `Set-Cookie` header. Throws `INVALID_REQUEST`. */
  signIn(userId: number): string {
    const { data, clock, ids, logins, name } = this.world
    const user = data.tables.users.get(userId)
    if (user !== undefined) {
      const secret = addLogin(user, { logins, ids })
      logins.commit(name)
      return loginCookie(secret, clock.now())
    }
    throw new MockError('INVALID_REQUEST', `There is no user ${userId}.`, 'GET /__mock/state lists the users.')
  }

  /** Who is signed in, as users of the world. The sender of the call has the login of the given secret. */
  signedIn(secret: string | undefined): SignedInUser[] {
    const { logins, data } = this.world
    const found = new Map<number, SignedInUser>()
    for (const login of logins.toJSON()) {
      const user = findPerson(data.tables, login.user)
      if (user === undefined) continue
      const here = login.secret === secret || found.get(user.id)?.here === true
      found.set(user.id, { user: user.id, name: displayNameOf(user), here })
    }
    return [...found.values()]
  }

  /** Ends all logins of a user. */
  signOut(userId: number): void {
    const { logins, data, name } = this.world
    logins.change(({ user }) => (findPerson(data.tables, user)?.id === userId ? undefined : user))
    logins.commit(name)
  }

  #changeRules<Result>(title: string, change: (world: World) => Result): Result {
    const world = this.#world()
    return world.set({ what: 'force', title }, 'rules', () => change(world))
  }

  #moveClock(title: string, move: (world: World) => void): void {
    const world = this.#world()
    try {
      world.set({ what: 'clock', title }, 'clock', () => move(world))
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
  throw new MockError('INVALID_REQUEST', 'The name of the scenario is missing.', 'GET /__mock/scenarios lists them.')
}

function invalidRule(list: string): MockError {
  return new MockError(
    'INVALID_RULE',
    sentence(`The rule is invalid: ${list}`),
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
    `The history has no entry with the id ${show(id)}.`,
    'GET /__mock/history, or mock.history.list(), lists the current entries.',
  )
}

/** `2026-12-20 12:00:01 UTC`; what is no date is refused by the clock. */
function momentOf(date: Date | string | number): string {
  const moment = new Date(typeof date === 'string' || date instanceof Date ? date : Number(date))
  return Number.isNaN(moment.getTime()) ? String(date) : `${moment.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** `1 day and 2 hours`; what is no duration is refused by the clock. */
function lengthOf(duration: Duration): string {
  if (typeof duration === 'number') return `${duration} ms`
  const { days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0 } = duration ?? {}
  const parts = Object.entries({ day: days, hour: hours, minute: minutes, second: seconds })
  const words = parts.filter(([, count]) => count !== 0).map(([unit, count]) => counted(count, unit))
  return [...words, ...(ms === 0 && words.length > 0 ? [] : [`${ms} ms`])].join(' and ')
}

function subjectOf({ operation, status }: ForceRule): string {
  const subject = operation === '*' ? 'every operation' : operation
  return status === undefined ? subject : `${subject}: ${status}`
}
