import { ForceForm, ruleWords } from './force-form.js'
import type { Panel } from './panel.js'
import { addedRules, type ForcedRule, worldName } from './panel-state.js'
import type { PartProps } from './part.js'
import { counted } from './words.js'

/** Lists force rules and adds new ones. */
export function Forced({ panel, state }: PartProps) {
  const added = addedRules(state)
  const brought = state.forced.filter(({ byScenario }) => byScenario)
  return (
    <>
      <p class="lead">
        A forced answer takes precedence over every check, even a 401. Of the rules that answer, the newest wins; delays
        and headers apply on top.
      </p>
      <ForceForm panel={panel} state={state} />
      <div class="heading-row">
        <h3>In force</h3>
        <button type="button" class="quiet" disabled={state.forced.length === 0} onClick={() => panel.clearForced()}>
          Remove all
        </button>
      </div>
      {state.forced.length === 0 && <p class="empty">No forced answers. Every operation answers normally.</p>}
      {added.length > 0 && <RuleCards panel={panel} rules={added} />}
      {brought.length > 0 && (
        <details class="card brought">
          <summary>
            <span class="name">
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
    <ul class="cards">
      {rules.map((rule) => (
        <RuleCard key={rule.id} panel={panel} rule={rule} />
      ))}
    </ul>
  )
}

function RuleCard({ panel, rule }: { panel: Panel; rule: ForcedRule }) {
  return (
    <li class="card">
      <div class="card-head">
        <h4>{rule.operation === '*' ? 'Every operation' : rule.operation}</h4>
        <button
          type="button"
          class="quiet"
          aria-label={`Remove the forced answer ${rule.id}`}
          onClick={() => panel.unforce(rule.id)}
        >
          Remove
        </button>
      </div>
      <p>{ruleWords(rule)}</p>
    </li>
  )
}
