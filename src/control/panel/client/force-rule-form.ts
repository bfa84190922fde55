import { STATUS_TEXT } from '../../../api/status-text.js'
import { faults } from '../../../scenarios/faults.js'
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
  } as ForceRule
}

/** A rule in words. */
export function ruleWords({ status, fault, error, body, delay, after, times, seen }: ForcedRule): string {
  return [
    ...(status === undefined ? [] : [`${status} (${STATUS_TEXT[status] ?? 'custom status'})`]),
    ...(fault === undefined ? [] : [`${fault}: ${faults[fault]}`]),
    ...(error === undefined ? [] : [`error: ${Object.values(error).join(', ')}`]),
    ...(body === undefined ? [] : ['custom body']),
    ...(delay === undefined ? [] : [`delayed by ${delay} ms`]),
    ...(after === undefined ? [] : [`after ${counted(after, 'request')}`]),
    ...(times === undefined ? [] : [`for ${counted(times, 'request')}`]),
    `matched ${counted(seen, 'time')}`,
  ].join(' · ')
}
