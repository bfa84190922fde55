import { STATUS_TEXT } from '../../../contract/errors.js'
import { faults } from '../../../scenarios/faults.js'
import type { ForceMatch } from '../../../scenarios/force-rule.js'
import { counted } from '../../../support/text.js'
import { type PartProps, QuietButton } from './controls.js'
import { ForceForm } from './force-form.js'
import type { Panel } from './panel.js'
import { addedRules, type ForcedRule, worldName } from './panel-state.js'

/** Lists force rules and adds new ones. */
export function Forced({ panel, state }: PartProps) {
  const added = addedRules(state)
  const brought = state.forced.filter(({ byScenario }) => byScenario)
  return (
    <>
      <p class="lead muted">
        A forced answer takes precedence over every check, even a 401. Of the rules that answer, the newest wins; delays
        and headers apply on top.
      </p>
      <ForceForm panel={panel} state={state} />
      <div class="line ends">
        <h3>In force</h3>
        <QuietButton disabled={state.forced.length === 0} onClick={() => panel.clearForced()}>
          Remove all
        </QuietButton>
      </div>
      {state.forced.length === 0 && <p class="empty">No forced answers. Every operation answers normally.</p>}
      {added.length > 0 && <RuleCards panel={panel} rules={added} />}
      {brought.length > 0 && (
        <details class="card">
          <summary>
            <span class="name opens">
              {counted(brought.length, 'answer')} forced by the scenario {worldName(state)}
            </span>
          </summary>
          <RuleCards panel={panel} rules={brought} />
        </details>
      )}
    </>
  )
}

function RuleCards({ panel, rules }: { panel: Panel; rules: ForcedRule[] }) {
  return (
    <ul class="stack">
      {rules.map((rule) => (
        <li key={rule.id} class="card">
          <div class="line ends">
            <h4>{rule.operation === '*' ? 'Every operation' : rule.operation}</h4>
            {whyIdle(rule) !== undefined && <span class="pill warn">{whyIdle(rule)}</span>}
            <QuietButton aria-label={`Remove the forced answer ${rule.id}`} onClick={() => panel.unforce(rule.id)}>
              Remove
            </QuietButton>
          </div>
          <p>{ruleWords(rule)}</p>
        </li>
      ))}
    </ul>
  )
}

/** Why a rule does not apply any more. Undefined if it may. */
export function whyIdle({ idle, after = 0, times, seen }: ForcedRule): string | undefined {
  if (idle !== undefined) return `can never apply: ${idle}`
  return times !== undefined && seen >= after + times ? 'used up' : undefined
}

/** A rule in words. */
export function ruleWords(rule: ForcedRule): string {
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
