import { useState } from 'hono/jsx/dom'
import type { ScenarioState } from '../../control.js'
import { controlUrl } from './api.js'
import { CopyButton } from './copy-button.js'
import { switchedTo } from './panel-state.js'
import type { PartProps } from './part.js'

/** Under which headings the built-in scenarios are listed. All others are the user's own. */
const groups = {
  Data: ['default', 'empty', 'fresh-server', 'large-project', 'expired-token', 'disabled-token'],
  Errors: [
    'missing-permission',
    'unauthenticated',
    'unsupported-content-type',
    'name-taken',
    'unknown-feature',
    'rate-limited',
    'server-error',
  ],
  Network: ['slow', 'flaky', 'offline'],
} as const

const OWN = 'Your own'

interface ScenarioGroup {
  title: string
  scenarios: ScenarioState[]
}

/** The scenarios under their headings, the user's own first. Headings without any are left out. */
export function groupScenarios(scenarios: readonly ScenarioState[]): ScenarioGroup[] {
  return [OWN, ...Object.keys(groups)]
    .map((title) => ({ title, scenarios: scenarios.filter(({ name }) => headingOf(name) === title) }))
    .filter((group) => group.scenarios.length > 0)
}

function headingOf(name: string): string {
  const [heading = OWN] = Object.entries(groups).find(([, names]) => (names as readonly string[]).includes(name)) ?? []
  return heading
}

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
