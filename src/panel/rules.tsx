import { faults } from '../engine/scenarios/faults.js'
import type { ForceMatch } from '../engine/scenarios/force-rule.js'
import { STATUS_TEXT } from '../service/contract/errors.js'
import { counted } from '../support/text.js'
import { type PartProps, QuietButton } from './controls.js'
import type { Panel } from './panel.js'
import { addedRules, type ListedRule, ruleOf, shownScenario, titleOf } from './panel-state.js'
import { RuleForm } from './rule-form.js'

/** Lists the rules and adds new ones. */
export function Rules({ panel, state }: PartProps) {
  const added = addedRules(state)
  const brought = state.rules.filter(({ byScenario }) => byScenario)
  return (
    <>
      <p class="lead muted">
        A rule responds instead of an operation, before every check. If several rules respond, the newest wins; delays
        and headers of all rules apply.
      </p>
      <RuleForm key={state.draft.at} panel={panel} state={state} />
      {state.rules.length === 0 && <p class="empty">No rules. Every operation responds normally.</p>}
      {added.length > 0 && (
        <>
          <div class="line ends">
            <h3>{counted(added.length, 'rule')} added</h3>
            <QuietButton onClick={() => panel.act('DELETE', 'forced')}>Remove all</QuietButton>
          </div>
          <RuleList panel={panel} rules={added} />
        </>
      )}
      {brought.length > 0 && (
        <details>
          <summary class="name opens">
            {counted(brought.length, 'rule')} from the scenario {titleOf(state, shownScenario(state))}
          </summary>
          <RuleList panel={panel} rules={brought} />
        </details>
      )}
    </>
  )
}

function RuleList({ panel, rules }: { panel: Panel; rules: ListedRule[] }) {
  return (
    <ul class="box">
      {rules.map((rule) => (
        <li key={rule.id} class="row">
          <div class="grow">
            <h4>{rule.operation === '*' ? 'Every operation' : rule.operation}</h4>
            <p class="muted small">{ruleWords(rule)}</p>
          </div>
          {whyIdle(rule) !== undefined && <span class="pill warn">{whyIdle(rule)}</span>}
          {rule.seen > 0 && rule.times !== undefined && (
            <QuietButton aria-label={`Arm the rule ${rule.id} again`} onClick={() => panel.arm(rule)}>
              Arm again
            </QuietButton>
          )}
          <QuietButton aria-label={`Edit the rule ${rule.id}`} onClick={() => panel.draftRule(ruleOf(rule), rule.id)}>
            Edit
          </QuietButton>
          <QuietButton
            aria-label={`Remove the rule ${rule.id}`}
            onClick={() => panel.act('DELETE', `forced/${rule.id}`)}
          >
            Remove
          </QuietButton>
        </li>
      ))}
    </ul>
  )
}

/** The reason why a rule no longer applies. Undefined if it still can. */
export function whyIdle({ idle, after = 0, times, seen }: ListedRule): string | undefined {
  if (idle !== undefined) return `can never apply: ${idle}`
  return times !== undefined && seen >= after + times ? 'used up' : undefined
}

/** A rule in words. */
export function ruleWords(rule: ListedRule): string {
  const { match, status, fault, error, body, headers, delay, after, times, seen } = rule
  const names = Object.keys(headers ?? {})
  return [
    ...(status === undefined ? [] : [`${status} (${STATUS_TEXT[status] ?? 'custom status'})`]),
    ...(fault === undefined ? [] : [`${fault}: ${faults[fault]}`]),
    ...(error === undefined ? [] : [`error: ${Object.values(error).join(', ')}`]),
    ...(body === undefined ? [] : ['custom body']),
    ...(headers === undefined ? [] : [`with the ${counted(names.length, 'header')} ${names}`]),
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
