import { useState } from 'preact/hooks'
import type { ScenarioState } from '../../control.js'
import { Button, CopyButton, type PartProps } from './controls.js'
import { switchedTo } from './panel-state.js'
import { mentions } from './words.js'

/** Under which headings the built-in scenarios are listed. All others are the user's own. */
const groups: Readonly<Record<string, readonly string[]>> = {
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
}

const OWN = 'Your own'

interface ScenarioGroup {
  title: string
  scenarios: ScenarioState[]
}

/** The scenarios under their headings, the user's own first. Headings without any are left out. */
export function groupScenarios(scenarios: readonly ScenarioState[]): ScenarioGroup[] {
  const headingOf = (name: string) => Object.keys(groups).find((heading) => groups[heading]?.includes(name)) ?? OWN
  return [OWN, ...Object.keys(groups)]
    .map((title) => ({ title, scenarios: scenarios.filter(({ name }) => headingOf(name) === title) }))
    .filter((group) => group.scenarios.length > 0)
}

/** Those that are not built in. */
export function ownScenarios(scenarios: readonly ScenarioState[]): ScenarioState[] {
  return groupScenarios(scenarios).find(({ title }) => title === OWN)?.scenarios ?? []
}

/** All scenarios. A click switches to one; the promise of the one that is looked at stands below the list. */
export function Scenarios({ panel, state }: PartProps) {
  const { scenarios } = state
  const [wanted, setWanted] = useState('')
  const [looked, setLooked] = useState('')
  const found = scenarios.filter(({ name, title, promise }) => mentions(`${name} ${title} ${promise}`, wanted))
  const active = scenarios.filter(({ active }) => active)
  const told = scenarios.filter(({ name }) => name === looked)
  return (
    <>
      <div class="line">
        <h2 id="scenarios-heading">Scenarios</h2>
        <input
          type="search"
          placeholder="Find a scenario"
          aria-label="Find a scenario"
          value={wanted}
          onInput={({ currentTarget }) => setWanted(currentTarget.value)}
        />
      </div>
      {scenarios.length > 0 && found.length === 0 && <p class="empty">No scenario matches.</p>}
      {groupScenarios(found).map(({ title, scenarios: grouped }) => (
        <section key={title} class="group" aria-label={title}>
          <h3 class="label">{title}</h3>
          <ul class="box">
            {grouped.map((scenario) => (
              <ScenarioRow key={scenario.name} {...{ panel, state, scenario }} onLook={setLooked} />
            ))}
          </ul>
        </section>
      ))}
      <div class="promise-of muted small" aria-hidden="true">
        {(told.length > 0 ? told : active).map(({ name, promise }) => (
          <p key={name}>
            <code>{name}</code> {promise}
          </p>
        ))}
      </div>
    </>
  )
}

interface RowProps extends PartProps {
  scenario: ScenarioState
  onLook(name: string): void
}

function ScenarioRow({ panel, state, scenario, onLook }: RowProps) {
  const { name, title, promise, active } = scenario
  const { scenarioLink } = panel.host
  const look = { onMouseEnter: () => onLook(name), onFocus: () => onLook(name), onMouseLeave: () => onLook('') }
  return (
    <li class={active ? 'scenario active' : 'scenario'} {...look} onBlur={() => onLook('')}>
      <button type="button" class="plain choose" aria-pressed={active} onClick={() => panel.switchTo([name])}>
        <span class="title name">{title}</span>
        <code class="muted">{name}</code>
        <span class="promise muted">{promise}</span>
      </button>
      <span class="copies">
        {active ? (
          <span class="here" title="active">
            ✓
          </span>
        ) : (
          <Button
            class="plain icon"
            aria-label={`Combine ${name} with what is active`}
            title={`Combine ${name} with what is active`}
            onClick={() => panel.switchTo([...switchedTo(state).split(','), name])}
          >
            +
          </Button>
        )}
        {scenarioLink !== undefined && (
          <CopyButton panel={panel} text={scenarioLink(name)} what={`the QA link of ${name}`} icon={<LinkIcon />}>
            Copy link
          </CopyButton>
        )}
        <CopyButton panel={panel} text={`?scenario=${name}`} what={`?scenario=${name}`} icon="?=">
          Copy
        </CopyButton>
      </span>
    </li>
  )
}

function LinkIcon() {
  return (
    <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true" class="link-icon">
      <path d="M6.5 9.5l3-3M7 4.5l1.6-1.6a2.6 2.6 0 0 1 3.7 3.7L10.7 8.2M9 11.5l-1.6 1.6a2.6 2.6 0 0 1-3.7-3.7L5.3 7.8" />
    </svg>
  )
}
