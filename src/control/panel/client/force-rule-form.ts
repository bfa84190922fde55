import { STATUS_TEXT } from '../../../api/status-text.js'
import { faults } from '../../../scenarios/faults.js'
import type { ForceMatch } from '../../../scenarios/force-match.js'
import type { ForceRule } from '../../../scenarios/force-rule.js'
import type { ForcedRule } from './panel-state.js'
import { counted } from './words.js'

/** The rule that a filled-in form describes, without the fields left empty. */
export function readRule(form: FormData): ForceRule {
  const field = (name: string) => String(form.get(name) ?? '').trim()
  const amounts = ['delay', 'after', 'times'].filter((name) => field(name) !== '').map((name) => [name, +field(name)])
  const answer = field('answer')
  return {
    operation: field('operation'),
    ...(answer in faults ? { fault: answer } : answer === '' ? {} : { status: Number(answer) }),
    ...(field('message') === '' ? {} : { error: { message: field('message') } }),
    ...Object.fromEntries(amounts),
    ...readMatch(form),
  } as ForceRule
}

/** What the fields for `match` say: nothing if all are empty. */
function readMatch(form: FormData): Pick<ForceRule, 'match'> {
  const field = (name: string) => String(form.get(name) ?? '').trim()
  const names = [...form.keys()].filter((name) => name.startsWith('params.') && field(name) !== '')
  const [headerName = '', ...headerValue] = field('headers').split(':')
  const match = {
    ...(names.length > 0 && { params: Object.fromEntries(names.map((name) => [name.slice(7), field(name)])) }),
    ...(field('query') !== '' && { query: Object.fromEntries(new URLSearchParams(field('query'))) }),
    ...(headerName !== '' && { headers: { [headerName.trim()]: headerValue.join(':').trim() } }),
    ...(field('body') !== '' && { body: JSON.parse(field('body')) as unknown }),
  }
  return Object.keys(match).length > 0 ? { match } : {}
}

/** A rule in words. */
export function ruleWords({ match, status, fault, error, body, delay, after, times, seen }: ForcedRule): string {
  return [
    ...(status === undefined ? [] : [`${status} (${STATUS_TEXT[status] ?? 'custom status'})`]),
    ...(fault === undefined ? [] : [`${fault}: ${faults[fault]}`]),
    ...(error === undefined ? [] : [`error: ${Object.values(error).join(', ')}`]),
    ...(body === undefined ? [] : ['custom body']),
    ...(delay === undefined ? [] : [`delayed by ${delay} ms`]),
    ...(after === undefined ? [] : [`after ${counted(after, 'request')}`]),
    ...(times === undefined ? [] : [`for ${counted(times, 'request')}`]),
    ...(match === undefined ? [] : [`only with ${matchWords(match)}`]),
    `matched ${counted(seen, 'time')}`,
  ].join(' · ')
}

function matchWords({ params, query, headers, body }: ForceMatch): string {
  const listed = Object.entries({ ...params, ...query, ...headers }).map(([name, value]) => `${name}: ${value}`)
  return [...listed, ...(body === undefined ? [] : [`a body with ${JSON.stringify(body)}`])].join(', ')
}
