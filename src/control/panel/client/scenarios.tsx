import { useState } from 'hono/jsx/dom'
import type { ScenarioState } from '../../control.js'
import { controlUrl } from './api.js'
import { CopyButton } from './copy-button.js'
import { switchedTo } from './panel-state.js'
import type { PartProps } from './part.js'
import { groupScenarios } from './scenario-groups.js'

/** All scenarios and their promises. A click switches to one. */
export function Scenarios({ panel, state }: PartProps) {
  const { scenarios } = state
  const [wanted, setWanted] = useState('')
  const found = scenarios.filter((scenario) => mentions(scenario, wanted))
  return (
    <>
      <div class="side-head">
        <h2 id="scenarios-heading">Scenarios</h2>
        <input
          type="search"
          placeholder="Find a scenario"
          aria-label="Find a scenario"
          value={wanted}
          onInput={(event: Event) => setWanted((event.target as HTMLInputElement).value)}
        />
      </div>
      {scenarios.length > 0 && found.length === 0 && <p class="empty">No scenario matches.</p>}
      {groupScenarios(found).map(({ title, scenarios: grouped }) => (
        <section key={title} class="group" aria-label={title}>
          <h3>{title}</h3>
          <ul class="scenarios">
            {grouped.map((scenario) => (
              <ScenarioCard key={scenario.name} panel={panel} state={state} scenario={scenario} />
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

function ScenarioCard({ panel, state, scenario }: PartProps & { scenario: ScenarioState }) {
  const { name, title, promise, active } = scenario
  return (
    <li class={active ? 'scenario active' : 'scenario'}>
      <button
        type="button"
        class="choose"
        title={promise}
        aria-pressed={active ? 'true' : 'false'}
        onClick={() => panel.switchTo(name)}
      >
        <span class="title">
          <span>{title}</span>
          {active && <span class="tag ok">active</span>}
          <code>{name}</code>
        </span>
        <span class="promise">{promise}</span>
      </button>
      <span class="actions">
        <CopyButton panel={panel} text={qaLink(name)} what={`the QA link of ${name}`}>
          Copy link
        </CopyButton>
        <CopyButton panel={panel} text={`?scenario=${name}`} what={`?scenario=${name}`}>
          Copy ?scenario=
        </CopyButton>
        {!active && (
          <button
            type="button"
            class="quiet"
            aria-label={`Add ${name} to the active scenarios`}
            onClick={() => panel.switchTo(`${switchedTo(state)},${name}`)}
          >
            Add
          </button>
        )}
      </span>
    </li>
  )
}

function qaLink(name: string): string {
  return controlUrl(`use/${encodeURIComponent(name)}`).href
}

function mentions({ name, title, promise }: ScenarioState, wanted: string): boolean {
  return `${name} ${title} ${promise}`.toLowerCase().includes(wanted.trim().toLowerCase())
}
