import * as z from 'zod'
import { outcomeOf } from '../../service/contract/errors.js'
import {
  disableForEverybody,
  enableForEverybody,
  type VariantForAll,
} from '../../service/resources/flags/for-everybody.js'
import { recordMessages } from '../../service/resources/instance/addons.model.js'
import { anonymous } from '../../service/resources/people/callers.js'
import { loginCookie } from '../../service/resources/people/login.js'
import { addLogin, findPerson } from '../../service/resources/people/login.model.js'
import { OFF, ON } from '../../service/resources/sdk/told-features.js'
import type { OperationContext } from '../../service/resources/shared/context.js'
import type { Duration } from '../../support/calendar.js'
import type { SetClockOptions } from '../../support/clock.js'
import { isObject, show } from '../../support/json.js'
import { counted, sentence } from '../../support/text.js'
import { MockError } from '../errors/mock-errors.js'
import { type ActiveRule, type ForceRule, forceRuleSchema } from '../scenarios/force-rule.js'
import { loadState } from '../state/load-state.js'
import { expectGiven } from '../state/state-fault.js'
import type { LoadedFile } from '../transfer/load-file.js'
import type { Session } from './session.js'
import { loadGiven } from './start.js'
import type { Cause } from './steps.js'
import type { World } from './world.js'

// The changes that a tester makes to a world, besides requests: by a mock's methods, or by the control API. Each is a step
// of the history, except for logins.

/** Replaces everything by a snapshot. Throws `INVALID_STATE`, and changes nothing, if it is invalid. */
export function replaceState(world: World, given: unknown): void {
  const cause = { what: 'restore', title: 'The data was replaced' }
  loadInto(world, given, { source: 'The snapshot', replacesAll: true }, () => cause)
}

/** Adds seed data, or a file of Unleash, as `replaceState` does. Returns the file; undefined for seed data. */
export function addState(world: World, given: unknown): LoadedFile | undefined {
  return loadInto(world, given, { source: 'The state', replacesAll: false }, (leftOut) => {
    return { what: 'add', title: ['Records were added', ...leftOut].join('; ') }
  })
}

function loadInto(
  world: World,
  given: unknown,
  options: { source: string; replacesAll: boolean },
  causeOf: (leftOut: readonly string[]) => Cause,
): LoadedFile | undefined {
  const { data, clock, ids } = world.ready()
  return loadGiven(
    given,
    options,
    () => world.snapshot(),
    (state, how, leftOut) => {
      world.change(causeOf(leftOut), () => loadState(data, state, { now: clock.now(), ids, ...how }))
    },
  )
}

/** Enables features for everybody, in every environment. Creates missing features. Throws as `changeFeatures` does. */
export function enable(session: Session, names: readonly string[]): void {
  changeFeatures(session, names, ON, 'switched on everywhere', (context) => {
    for (const name of names) enableForEverybody(context, name)
  })
}

/** Disables features in every environment, as `enable` does. */
export function disable(session: Session, names: readonly string[]): void {
  changeFeatures(session, names, OFF, 'switched off everywhere', (context) => {
    for (const name of names) disableForEverybody(context, name)
  })
}

/** Enables a feature, and gives everybody one variant, as `enable` does. */
export function setVariant(session: Session, name: string, variant: VariantForAll): void {
  changeFeatures(session, [name], ON, 'switched on everywhere with one variant', (context) =>
    enableForEverybody(context, name, variant),
  )
}

/**
 * Changes features with all permissions, and ends the states that SDKs are told of them. Throws `INVALID_ARGUMENT`, and
 * changes nothing, if a feature is invalid.
 */
function changeFeatures(
  session: Session,
  names: readonly string[],
  state: string,
  how: string,
  run: (context: OperationContext) => void,
): void {
  const world = session.world().ready()
  const { clock, ids, data, logins } = world
  const cause: Cause = { what: 'setFeatures', title: `${names.join(', ')} ${how}` }
  const missing = names.filter((name) => data.tables.features.get(name) === undefined)
  const caller = { ...anonymous, may: () => true }
  const given = { caller, now: clock.now(), ids, logins, baseUrl: '', basePath: '', sent: [], logged: [] }
  const change = (tables: OperationContext['tables']) => {
    const context = { ...given, tables, told: tables }
    run(context)
    // Messages of integrations belong to a journaled request, and this isn't a request.
    recordMessages(context)
  }
  const { failure } = outcomeOf(() => world.change(cause, () => data.transact(change)))
  if (failure !== undefined) {
    const told = names.find((name) => name.includes(':'))
    const hint = told === undefined ? '' : ` mock.useScenario(${show(told)}) tells SDKs a state, and changes no data.`
    throw new MockError('INVALID_ARGUMENT', failure.message, `Nothing was changed.${hint}`)
  }
  session.endStates(names, state, cause)
  for (const name of missing) world.created.add(name)
  for (const name of names) session.changedFlags.set(name, { isOn: state === ON, after: session.journal.lastId })
}

/** Adds a rule. Throws `INVALID_RULE`. */
export function addRule(world: World, given: unknown): ActiveRule {
  const rule = expectRule(given)
  return changeRules(world, `A rule was added for ${subjectOf(rule)}`, ({ rules }) => rules.add(rule))
}

/** Changes a rule, or resets its count so that it applies again. Throws `UNKNOWN_RULE` and `INVALID_RULE`. */
export function replaceRule(world: World, id: string, given: unknown): ActiveRule {
  ruleOf(world, id)
  const rule = expectRule(given)
  const title = `A rule was changed for ${subjectOf(rule)}`
  return changeRules(world, title, ({ rules }) => rules.replace(id, rule) ?? rules.add(rule))
}

/** Removes a rule. Throws `UNKNOWN_RULE`. */
export function removeRule(world: World, id: string): void {
  const title = `A rule was removed for ${subjectOf(ruleOf(world, id))}`
  changeRules(world, title, ({ rules }) => rules.remove(id))
}

export function removeRules(world: World): void {
  changeRules(world, 'All rules were removed', ({ rules }) => rules.clear())
}

function changeRules<Result>(world: World, title: string, run: (world: World) => Result): Result {
  return world.set({ what: 'force', title }, 'rules', () => run(world))
}

function ruleOf({ rules }: World, id: string): ForceRule {
  const found = rules.all().find((active) => active.id === id)
  if (found !== undefined) return found.rule
  throw new MockError('UNKNOWN_RULE', `There is no rule "${id}".`, 'GET /__mock/forced lists the current rules.')
}

function expectRule(given: unknown): ForceRule {
  return expectGiven(forceRuleSchema, given, (list) => {
    const hint =
      'A rule has an operation (or *) and any of match, status, error, body, headers, delay, fault, after, times. docs/operations.md lists the operations.'
    return new MockError('INVALID_RULE', sentence(`The rule is invalid: ${list}`), hint)
  })
}

/** `cloneFeature: 503`, the subject of a rule. */
function subjectOf({ operation, status }: ForceRule): string {
  const subject = operation === '*' ? 'every operation' : operation
  return status === undefined ? subject : `${subject}: ${status}`
}

/** Sets the clock. Throws `INVALID_CLOCK`. */
export function setClock(world: World, date: Date | string | number, options: SetClockOptions = {}): void {
  moveClock(world, `The clock was set to ${momentOf(date)}`, () => {
    checkSetOptions(options)
    world.clock.set(date, options)
  })
}

/** Advances the clock, as `setClock` does. */
export function advanceClock(world: World, duration: Duration): void {
  moveClock(world, `The clock was advanced by ${lengthOf(duration)}`, () => {
    checkLength(duration)
    world.clock.advance(duration)
  })
}

/** Returns the clock to real time, as `setClock` does. */
export function releaseClock(world: World): void {
  moveClock(world, 'The clock was returned to real time', () => world.clock.release())
}

function moveClock(world: World, title: string, move: () => void): void {
  try {
    world.set({ what: 'clock', title }, 'clock', move)
  } catch (error) {
    const reason = error instanceof RangeError ? error.message : String(error)
    throw new MockError(
      'INVALID_CLOCK',
      reason,
      'Set it to a date, or advance it by { days, hours, minutes, seconds, ms }.',
    )
  }
}

/** A length of time in JSON. */
export const durationSchema = z
  .strictObject({
    ms: z.number().optional(),
    seconds: z.number().optional(),
    minutes: z.number().optional(),
    hours: z.number().optional(),
    days: z.number().optional(),
  })
  .refine((parts) => Object.keys(parts).length > 0, { error: 'must contain ms, seconds, minutes, hours or days' })

const lengthSchema = z.union([z.number(), durationSchema])

const setOptionsSchema = z.strictObject({ frozen: z.boolean().optional() })

/** Throws a `RangeError` for anything but `{ frozen?: boolean }`. */
function checkSetOptions(given: unknown): void {
  if (!setOptionsSchema.safeParse(given).success) throw new RangeError('The options are { frozen: true or false }.')
}

/** Throws a `RangeError` for anything but a length of time. */
function checkLength(given: unknown): void {
  if (!lengthSchema.safeParse(given).success) throw new RangeError(whyNoLength(given))
}

function whyNoLength(given: unknown): string {
  if (given instanceof Date) return `${show(given)} is a date, not a duration: pass it to clock.set.`
  const units = Object.keys(durationSchema.shape)
  const unknown = isObject(given) ? Object.keys(given).find((key) => !units.includes(key)) : undefined
  if (unknown !== undefined) return `There is no unit "${unknown}"; use ${units.toReversed().join(', ')}.`
  const [wrong] = isObject(given) ? Object.entries(given).filter(([, value]) => typeof value !== 'number') : []
  if (wrong !== undefined) return `${wrong[0]} must be a number, not ${show(wrong[1])}.`
  if (isObject(given)) return 'The duration is empty; use ms, seconds, minutes, hours or days.'
  return `${show(given)} is not a duration; expected milliseconds or an object such as { days: 1 }.`
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

/** Signs a user in without a password. Returns the `Set-Cookie` header. Throws `INVALID_REQUEST`. */
export function signIn({ data, clock, ids, logins, name }: World, userId: number): string {
  const user = data.tables.users.get(userId)
  if (user !== undefined) {
    const secret = addLogin(user, { logins, ids })
    logins.commit(name)
    return loginCookie(secret, clock.now())
  }
  throw new MockError('INVALID_REQUEST', `There is no user ${userId}.`, 'GET /__mock/state lists the users.')
}

/** Ends all logins of a user. */
export function endLogins({ logins, data, name }: World, userId: number): void {
  logins.change(({ user }) => (findPerson(data.tables, user)?.id === userId ? undefined : user))
  logins.commit(name)
}
