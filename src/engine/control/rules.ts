import { sentence } from '../../support/text.js'
import { MockError } from '../errors/mock-errors.js'
import { type ActiveRule, type ForceRule, forceRuleSchema } from '../scenarios/force-rule.js'
import { idleRules } from '../scenarios/idle-rules.js'
import type { World } from '../sessions/world.js'
import { expectGiven } from '../state/state-fault.js'
import { subjectOf } from './titles.js'

/** Adds a rule to a world, as a step of the history. Throws `INVALID_RULE`. */
export function addRule(world: World, given: unknown): ActiveRule {
  const rule = expectRule(given)
  return change(world, `A rule was added for ${subjectOf(rule)}`, ({ rules }) => rules.add(rule))
}

/** Changes a rule, or resets its count so that it applies again. Throws `UNKNOWN_RULE` and `INVALID_RULE`. */
export function replaceRule(world: World, id: string, given: unknown): ActiveRule {
  ruleOf(world, id)
  const rule = expectRule(given)
  const title = `A rule was changed for ${subjectOf(rule)}`
  return change(world, title, ({ rules }) => rules.replace(id, rule) ?? rules.add(rule))
}

/** Removes a rule. Throws `UNKNOWN_RULE`. */
export function removeRule(world: World, id: string): void {
  const title = `A rule was removed for ${subjectOf(ruleOf(world, id))}`
  change(world, title, ({ rules }) => rules.remove(id))
}

export function removeRules(world: World): void {
  change(world, 'All rules were removed', ({ rules }) => rules.clear())
}

/** The rules of a world, as the control API shows them. */
export function rulesOf({ composition, rules }: World) {
  const own = new Set(composition.force)
  const all = rules.all()
  const idle = new Map(idleRules(all.map(({ rule }) => rule)).map(({ at, by }) => [at, by]))
  return all.map((active, at) => ({
    ...showRule(active),
    ...(own.has(active.rule) && { byScenario: true }),
    ...(idle.has(at) && { idle: whyIdle(all[idle.get(at) ?? -1]) }),
  }))
}

export function showRule({ id, rule, seen }: ActiveRule) {
  return { id, ...rule, seen }
}

function whyIdle(by: ActiveRule | undefined): string {
  return by === undefined ? 'its `times` is 0' : `the newer rule ${by.id} handles all of its requests`
}

function change<Result>(world: World, title: string, run: (world: World) => Result): Result {
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
      'A rule has an operation (or *) and any of match, status, error, body, headers, delay, fault, after, times.'
    return new MockError('INVALID_RULE', sentence(`The rule is invalid: ${list}`), hint)
  })
}
