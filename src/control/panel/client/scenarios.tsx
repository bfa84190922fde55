import { useState } from 'hono/jsx/dom'
import type { ScenarioState } from '../../control.js'
import { controlUrl } from './api.js'
import { CopyButton } from './copy-button.js'
import { switchedTo } from './panel-state.js'
import type { PartProps } from './part.js'

/** All scenarios and their promises. A click switches to one. */
export function Scenarios({ panel, state }: PartProps) {
  const { scenarios } = state
  const [wanted, setWanted] = useState('')
  const found = scenarios.filter((scenario) => mentions(scenario, wanted))
  return (
    <>
      <h2 id="scenarios-heading">Scenarios</h2>
      <input
        type="search"
        placeholder="Find a scenario"
        aria-label="Find a scenario"
        value={wanted}
        onInput={(event: Event) => setWanted((event.target as HTMLInputElement).value)}
      />
      {scenarios.length > 0 && found.length === 0 && <p class="empty">No scenario matches.</p>}
      <ul class="scenarios">
        {found.map((scenario) => (
          <li key={scenario.name} class={scenario.active ? 'scenario active' : 'scenario'}>
            <button
              type="button"
              class="choose"
              aria-pressed={scenario.active ? 'true' : 'false'}
              onClick={() => panel.switchTo(scenario.name)}
            >
              <span class="title">
                {scenario.title}
                {scenario.active && <span class="tag ok">active</span>}
              </span>
              <span class="promise">{scenario.promise}</span>
            </button>
            <div class="links">
              <code>{scenario.name}</code>
              <span class="actions">
                <CopyButton panel={panel} text={qaLink(scenario.name)} what={`the QA link of ${scenario.name}`}>
                  Copy link
                </CopyButton>
                <CopyButton panel={panel} text={`?scenario=${scenario.name}`} what={`?scenario=${scenario.name}`}>
                  Copy ?scenario=
                </CopyButton>
                {!scenario.active && (
                  <button
                    type="button"
                    class="quiet"
                    aria-label={`Add ${scenario.name} to the active scenarios`}
                    onClick={() => panel.switchTo(`${switchedTo(state)},${scenario.name}`)}
                  >
                    Add
                  </button>
                )}
              </span>
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}

function qaLink(name: string): string {
  return controlUrl(`use/${encodeURIComponent(name)}`).href
}

function mentions({ name, title, promise }: ScenarioState, wanted: string): boolean {
  return `${name} ${title} ${promise}`.toLowerCase().includes(wanted.trim().toLowerCase())
}
