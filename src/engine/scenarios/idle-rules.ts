import { isObject } from '../../support/json.js'
import { type ActiveRule, ADMIN_API, type ForceRule, includesOperation, replacesAnswer } from './force-rule.js'

/** A rule that can never apply, by its position, and the later rule that always applies first. */
interface IdleRule {
  at: number
  /** Undefined if the rule applies to zero requests. */
  by: number | undefined
}

/**
 * The rules of a list that can never apply to any request. The last rule of the list takes precedence. A later rule hides
 * an older rule that has all of its conditions. It is only compared with rules that have its rarest condition: a thousand
 * rules would have half a million pairs.
 */
export function idleRules(rules: readonly ForceRule[]): IdleRule[] {
  const conditions = rules.map((rule) => new Set(conditionsOf(rule)))
  const counts = new Map<string, number>()
  for (const own of conditions) for (const one of own) counts.set(one, (counts.get(one) ?? 0) + 1)
  const rareness = (one: string) => counts.get(one) ?? 0
  /** The positions of the later rules that always respond, by their rarest condition. */
  const hiding = new Map<string, number[]>()
  const found: IdleRule[] = []
  for (const [at, rule] of [...rules.entries()].toReversed()) {
    const own = conditions[at] ?? new Set()
    const hides = (later: number) => [...(conditions[later] ?? [])].every((one) => own.has(one))
    const later = replacesAnswer(rule) ? [...own].flatMap((one) => hiding.get(one) ?? []).filter(hides) : []
    if (rule.times === 0) found.push({ at, by: undefined })
    else if (later.length > 0) found.push({ at, by: Math.max(...later) })
    else if (replacesAnswer(rule) && rule.times === undefined && !rule.after) {
      const rarest = [...own].reduce((rare, one) => (rareness(one) < rareness(rare) ? one : rare), ANY_REQUEST)
      const others = hiding.get(rarest)
      if (others === undefined) hiding.set(rarest, [at])
      else others.push(at)
    }
  }
  return found.toReversed()
}

/** The idle rules of one scenario, each with its place and the reason. */
export function describeIdleRules(rules: readonly ForceRule[] = []): { path: string; message: string }[] {
  return idleRules(rules).map(({ at, by }) => {
    const reason = by === undefined ? 'its times is 0' : `$.force[${by}] is later and handles all of its requests`
    return { path: `$.force[${at}]`, message: `can never apply: ${reason}` }
  })
}

/** The condition of every rule. */
const ANY_REQUEST = ''

/** The conditions of a rule as texts: equal texts are equal conditions. */
function conditionsOf({ operation, match = {} }: ForceRule): string[] {
  const { params = {}, query = {}, headers = {}, body } = match
  const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  const named = { params, query, headers: Object.fromEntries(lowerCase) }
  const parts = Object.entries(named).flatMap(([part, values]) =>
    Object.entries(values).map(([name, value]) => JSON.stringify([part, name, String(value)])),
  )
  const ofOperation = [operation, ADMIN_API].filter((one) => one !== '*' && includesOperation(one, operation))
  return [ANY_REQUEST, ...ofOperation, ...parts, ...(body === undefined ? [] : partsOf(body, 'body'))]
}

/** The parts of a JSON value: a value that contains another has all of its parts. */
function partsOf(value: unknown, place: string): string[] {
  const inside = (name: string, inner: unknown) => partsOf(inner, `${place}/${JSON.stringify(name)}`)
  if (Array.isArray(value))
    return [`${place}: ${value.length} items`, ...value.flatMap((item, i) => inside(`${i}`, item))]
  if (isObject(value))
    return [`${place}: an object`, ...Object.entries(value).flatMap(([name, inner]) => inside(name, inner))]
  return [`${place}: ${JSON.stringify(value)}`]
}

/**
 * The rules, in words, that matched no request, without optional rules, those of a scenario, and those that can't apply
 * because a newer rule handles all of their requests.
 */
export function unmetRules(active: readonly ActiveRule[], ofScenario: readonly ForceRule[]): string[] {
  const hidden = new Set(idleRules(active.map(({ rule }) => rule)).map(({ at }) => at))
  return active
    .filter(({ rule, seen }, at) => seen === 0 && !rule.optional && !ofScenario.includes(rule) && !hidden.has(at))
    .map(({ rule }) => JSON.stringify(rule))
}
