import { type ForceMatch, type ForceRule, type MatchedRequest, matchesRequest, replacesAnswer } from './force-rule.js'

/** A rule that can never apply, by its position, and the later rule that always applies first. */
interface IdleRule {
  at: number
  /** Undefined if the rule applies to zero requests. */
  by: number | undefined
}

/** The rules of a list that can never apply to any request. The last rule of the list takes precedence. */
export function idleRules(rules: readonly ForceRule[]): IdleRule[] {
  return rules.flatMap((rule, at): IdleRule[] => {
    if (rule.times === 0) return [{ at, by: undefined }]
    const by = rules.findLastIndex((later, i) => i > at && hides(later, rule))
    return by === -1 ? [] : [{ at, by }]
  })
}

/** The idle rules of one scenario, each with its place and the reason. */
export function describeIdleRules(rules: readonly ForceRule[] = []): { path: string; message: string }[] {
  return idleRules(rules).map(({ at, by }) => {
    const reason = by === undefined ? 'its times is 0' : `$.force[${by}] is later and handles all of its requests`
    return { path: `$.force[${at}]`, message: `can never apply: ${reason}` }
  })
}

/** Whether a rule responds to every request that an older rule matches. Rules that don't respond are never hidden. */
function hides(rule: ForceRule, older: ForceRule): boolean {
  const isForAll =
    rule.times === undefined && !rule.after && (rule.operation === '*' || rule.operation === older.operation)
  return (
    replacesAnswer(rule) && replacesAnswer(older) && isForAll && matchesRequest(rule.match, leastRequest(older.match))
  )
}

/** A request that meets exactly a rule's conditions. */
function leastRequest({ params = {}, query = {}, headers = {}, body }: ForceMatch = {}): MatchedRequest {
  const texts = (values: object) => Object.entries(values).map(([name, value]) => [name, String(value)])
  const sent = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return {
    params: Object.fromEntries(texts(params)),
    query: new URLSearchParams(texts(query)),
    headers: { get: (name) => sent.get(name.toLowerCase()) ?? null },
    body,
  }
}
