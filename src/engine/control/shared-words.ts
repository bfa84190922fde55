import { isObject } from '../../support/json.js'
import { counted } from '../../support/text.js'

/** Records of a kind that are named; of more, their number is told. */
const NAMED = 5

/** Rules that are told one by one. */
const RULES_TOLD = 8

/**
 * What opening a shared scenario would change, for people: a sentence, and a line for each kind of difference. It is told
 * before anything is checked, so every part may be of any shape.
 */
export function describeShared(scenario: Readonly<Record<string, unknown>>, clock: unknown): [string, ...string[]] {
  const { extends: base, seed, force, latency } = scenario
  const rules = Array.isArray(force) ? force.filter(isObject) : []
  const lines = [
    ...(isObject(seed) ? Object.entries(seed).flatMap(([kind, given]) => recordsLine(kind, given)) : []),
    ...rules.slice(0, RULES_TOLD).map(ruleLine),
    ...(rules.length > RULES_TOLD ? [`and ${counted(rules.length - RULES_TOLD, 'more rule')}`] : []),
    ...(latency === undefined ? [] : [`Every answer takes ${latencyWords(latency)}.`]),
    ...(isObject(clock)
      ? [`The clock ${clock.frozen === true ? 'stands still at' : 'runs on from'} ${clock.now}.`]
      : []),
  ]
  const start = base === undefined ? 'It holds all of its data' : `It is the scenario “${base}”`
  return [
    lines.length === 0 ? `${start}, as it starts.` : `${start}${base === undefined ? ', and' : ' with'}:`,
    ...lines,
  ]
}

/** `features: dark-mode, search and 3 more; removed: archived-banner`. No line for a kind without records. */
function recordsLine(kind: string, given: unknown): string[] {
  const records = Array.isArray(given) ? given.map((record) => [nameOf(record), record] as const) : entriesOf(given)
  const [removed, others] = [records.filter(([, record]) => record === null), records.filter(([, one]) => one !== null)]
  const parts = [
    ...(others.length > 0 ? [namesOf(others)] : []),
    ...(removed.length > 0 ? [`removed: ${namesOf(removed)}`] : []),
  ]
  return parts.length === 0 ? [] : [`${kind}: ${parts.join('; ')}`]
}

function entriesOf(given: unknown): [string, unknown][] {
  return isObject(given) ? Object.entries(given) : []
}

function namesOf(records: readonly (readonly [string, unknown])[]): string {
  const names = records.slice(0, NAMED).map(([name]) => name)
  const left = records.length - names.length
  return left === 0 ? names.join(', ') : `${names.join(', ')} and ${left} more`
}

function nameOf(record: unknown): string {
  const { name, id, secret, email } = isObject(record) ? record : {}
  return String(name ?? email ?? id ?? secret ?? 'one')
}

/** `cloneFeature is answered with 503, after 2 s, for 3 requests.` */
function ruleLine(rule: Readonly<Record<string, unknown>>): string {
  const { operation, match, status, error, body, headers, delay, fault, after, times } = rule
  const sent = isObject(headers) ? Object.entries(headers).map((pair) => pair.join(': ')) : undefined
  const parts = [
    status !== undefined && `with ${status}`,
    (error !== undefined || body !== undefined) && `with ${JSON.stringify(body ?? error)}`,
    fault !== undefined && `by a fault, ${fault}`,
    sent !== undefined && `with ${sent.join(', ')}`,
    delay && `after ${Number(delay) / 1000} s`,
    match !== undefined && `only ${JSON.stringify(match)}`,
    after && `from the ${Number(after) + 1}. request on`,
    times !== undefined && `for ${counted(Number(times), 'request')}`,
  ]
  const what = operation === '*' ? 'Every operation' : String(operation)
  return `${what} is answered ${parts.filter(Boolean).join(', ')}.`
}

function latencyWords(latency: unknown): string {
  const seconds = (ms: unknown) => `${Number(ms) / 1000} s`
  return isObject(latency) ? `${seconds(latency.min)} to ${seconds(latency.max)}` : seconds(latency)
}
