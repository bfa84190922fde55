import { permissions } from '../../service/contract/permissions.js'
import { didYouMean } from '../../support/nearest.js'
import {
  type ActiveRule,
  ADMIN_API,
  type ForceMatch,
  type ForceRule,
  includesOperation,
  replacesAnswer,
} from './force-rule.js'

/** A rule that can never apply, by its position, and the later rule that always applies first. */
interface IdleRule {
  at: number
  /** Undefined if the rule applies to zero requests. */
  by: number | undefined
}

/**
 * The rules of a list that can never apply to any request. The last rule of the list takes precedence. A later rule hides
 * an older rule for the same or fewer operations, if it has the same conditions or none.
 */
export function idleRules(rules: readonly ForceRule[]): IdleRule[] {
  /** The positions of the later rules that always respond, by their operation and conditions. */
  const hiding = new Map<string, number>()
  const found: IdleRule[] = []
  for (const [at, rule] of [...rules.entries()].toReversed()) {
    const { operation, match, times, after } = rule
    const wider = [operation, ADMIN_API, '*'].filter((one) => includesOperation(one, operation))
    const keys = wider.flatMap((one) => [ruleKey(one), ruleKey(one, match)])
    const later = replacesAnswer(rule) ? keys.flatMap((key) => hiding.get(key) ?? []) : []
    if (times === 0) found.push({ at, by: undefined })
    else if (later.length > 0) found.push({ at, by: Math.max(...later) })
    else if (replacesAnswer(rule) && times === undefined && !after) hiding.set(ruleKey(operation, match), at)
  }
  return found.toReversed()
}

function ruleKey(operation: string, match?: ForceMatch): string {
  return JSON.stringify([operation, match])
}

/** The idle rules of one scenario, each with its place and the reason. */
export function describeIdleRules(rules: readonly ForceRule[] = []): { path: string; message: string }[] {
  return idleRules(rules).map(({ at, by }) => {
    const reason = by === undefined ? 'its times is 0' : `$.force[${by}] is later and handles all of its requests`
    return { path: `$.force[${at}]`, message: `can never apply: ${reason}` }
  })
}

/**
 * The rules that matched no request, without optional rules, those of a scenario, and those that can't apply
 * because a newer rule handles all of their requests.
 */
export function unmetRules(active: readonly ActiveRule[], ofScenario: readonly ForceRule[]): ForceRule[] {
  const hidden = new Set(idleRules(active.map(({ rule }) => rule)).map(({ at }) => at))
  return active
    .filter(({ rule, seen }, at) => seen === 0 && !rule.optional && !ofScenario.includes(rule) && !hidden.has(at))
    .map(({ rule }) => rule)
}

/** Sentences about active rules that apply to no request, or to no more requests, and about misspelt permissions in rules. */
export function doubtfulRules(active: readonly ActiveRule[]): string[] {
  const idle = idleRules(active.map(({ rule }) => rule))
  return active.flatMap(({ rule: { operation, times, after = 0, optional, error: { permission } = {} }, seen }, at) => {
    const near = permission === undefined || isPermission(permission) ? '' : didYouMean(permission, permissions)
    const isHidden = seen === 0 && !optional && idle.some((one) => one.at === at && one.by !== undefined)
    return [
      ...(isHidden ? [`A rule for ${operation} never applies, because a later rule handles all of its requests.`] : []),
      ...(times && seen >= times + after ? [`A rule for ${operation} is used up, because its times is ${times}.`] : []),
      ...(times === 0 ? [`A rule for ${operation} never applies, because its times is 0.`] : []),
      ...(near === '' ? [] : [`A rule for ${operation} names the permission "${permission}".${near}`]),
    ]
  })
}

function isPermission(name: string): boolean {
  return permissions.some((permission) => permission === name)
}
