import { outcomeOf } from '../../service/contract/errors.js'
import { recordMessages } from '../../service/resources/instance/addons.model.js'
import { anonymous } from '../../service/resources/people/callers.js'
import { loginCookie } from '../../service/resources/people/login.js'
import { addLogin, findPerson } from '../../service/resources/people/login.model.js'
import { displayNameOf } from '../../service/resources/people/users.js'
import type { OperationContext } from '../../service/resources/shared/context.js'
import type { Duration } from '../../support/calendar.js'
import type { SetClockOptions } from '../../support/clock.js'
import { show } from '../../support/json.js'
import { counted, sentence } from '../../support/text.js'
import { MockError } from '../errors/mock-errors.js'
import { distinctNames, scenarioNames } from '../scenarios/catalogue.js'
import { type ActiveRule, type ForceRule, forceRuleSchema } from '../scenarios/force-rule.js'
import { REDACTED, redactRecord } from '../sessions/redact.js'
import type { Session } from '../sessions/session.js'
import type { HistoryEntry, RecordChange } from '../sessions/timeline.js'
import type { World } from '../sessions/world.js'
import { expectGiven, secretFieldsOf } from '../state/state-fault.js'
import { checkLength, checkSetOptions } from './clock-values.js'

/** The state of a clock. */
export interface ClockState {
  now: string
  frozen: boolean
}

export interface ScenarioState {
  name: string
  title: string
  promise: string
  active: boolean
  /** Whether it was saved here, so that users can remove it. */
  saved?: true
}

/** A user with a login in a session. */
export interface SignedInUser {
  user: number
  name: string
  /** Whether this is the caller's login. */
  here: boolean
}

/**
 * The actions on a session and on the world that a control call names, as far as they need checks or are steps of the
 * history: other code asks the session itself. In process, the members of a mock use it; over HTTP, the rows of the
 * control API.
 */
export class Control {
  readonly #session: Session
  readonly #world: () => World

  constructor(session: Session, world: () => World = () => session.world()) {
    this.#session = session
    this.#world = world
  }

  /** The controlled world, with loaded data. */
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

  /**
   * Switches features in every environment, as a history step with the title. Throws `INVALID_ARGUMENT` if a feature is
   * invalid.
   */
  setFeatures(title: string, change: (context: OperationContext) => void): void {
    const { world } = this
    const { clock, ids, data, logins } = world
    const caller = { ...anonymous, may: () => true }
    const { failure } = outcomeOf(() =>
      world.change({ what: 'setFeatures', title }, () =>
        // Messages of integrations belong to a journaled request, and this isn't a request.
        data.transact((tables) => {
          const context = {
            tables,
            caller,
            now: clock.now(),
            ids,
            logins,
            baseUrl: '',
            basePath: '',
            sent: [],
            logged: [],
          }
          change(context)
          recordMessages(context)
        }),
      ),
    )
    if (failure !== undefined) throw new MockError('INVALID_ARGUMENT', failure.message, 'Nothing was changed.')
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
    this.#moveClock('The clock was returned to real time', ({ clock }) => clock.release())
  }

  force(given: unknown): ActiveRule {
    const rule = expectGiven(forceRuleSchema, given, invalidRule)
    return this.#changeRules(`A rule was added for ${subjectOf(rule)}`, ({ rules }) => rules.add(rule))
  }

  /** Changes a rule, or resets its count so that it applies again. Throws `UNKNOWN_RULE` and `INVALID_RULE`. */
  reforce(id: string, given: unknown): ActiveRule {
    this.#ruleOf(id)
    const rule = expectGiven(forceRuleSchema, given, invalidRule)
    const title = `A rule was changed for ${subjectOf(rule)}`
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

  /** The history entries of the world, oldest first. */
  history(): HistoryEntry[] {
    return this.#session.timeline.list(this.world)
  }

  /** Undoes (-1) or redoes (1) a step. Returns the current entry; undefined if there was nothing to undo or redo. */
  step(by: -1 | 1): HistoryEntry | undefined {
    return this.#session.step(this.world, by) ? this.#moment() : undefined
  }

  goTo(id: number): HistoryEntry | undefined {
    if (this.#session.goTo(id)) return this.#moment()
    throw unknownMoment(id)
  }

  /** The records that an entry's step changed. The entry's ID is text. Throws `UNKNOWN_COMMIT`. */
  changesAt(given: string): RecordChange[] {
    const id = /^\d+$/.test(given) ? Number(given) : undefined
    const changes = id === undefined ? undefined : this.#session.changesAt(id)
    if (changes !== undefined) return changes.map(withoutSecrets)
    throw unknownMoment(id ?? given)
  }

  /** The session's current entry. After a switch, it isn't of the world that the call names. */
  #moment(): HistoryEntry | undefined {
    return this.#session.timeline.list(this.#world()).find(({ current }) => current)
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

  /** The session's logins, as users of the world. The given secret marks the caller's login. */
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
 * The names of scenarios, each possibly a comma-separated list. Throws `INVALID_REQUEST` without names, and
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

/** A change of a record without secrets. Even the key of a record can be a secret. */
function withoutSecrets({ table, key, before, after }: RecordChange): RecordChange {
  const shown = (record: object | undefined) => record && { ...(redactRecord(table, record) as object) }
  const record = new Map(Object.entries(after ?? before ?? {}))
  const isHidden = secretFieldsOf(table).some((name) => record.get(name) === key)
  return { table, key: isHidden ? REDACTED : key, before: shown(before), after: shown(after) }
}

function unknownMoment(id: number | string): MockError {
  return new MockError(
    'UNKNOWN_COMMIT',
    `The history has no entry with the id ${show(id)}.`,
    'GET /__mock/history, or mock.history.list(), lists the current entries.',
  )
}

/** `2026-12-20 12:00:01 UTC`; the clock rejects an invalid date. */
function momentOf(date: Date | string | number): string {
  const moment = new Date(typeof date === 'string' || date instanceof Date ? date : Number(date))
  return Number.isNaN(moment.getTime()) ? String(date) : `${moment.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** `1 day and 2 hours`; the clock rejects an invalid duration. */
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
