import { useState } from 'preact/hooks'
import { headings } from '../engine/scenarios/built-in.js'
import type { ScenarioState } from '../engine/scenarios/catalogue.js'
import { Button, CopyButton, Item, leave, Menu, type PartProps } from './controls.js'
import { activeNames, scenariosIn, shownScenario, titleOf } from './panel-state.js'
import { mentions, ranked } from './words.js'

const OWN = 'Your own'

interface ScenarioGroup {
  title: string
  scenarios: ScenarioState[]
}

/** The scenarios under their headings, the user's own first. Omits empty headings. */
export function groupScenarios(scenarios: readonly ScenarioState[]): ScenarioGroup[] {
  const all = new Map(Object.entries(headings))
  const headingOf = (name: string) => all.get(name) ?? OWN
  return [OWN, ...new Set(all.values())]
    .map((title) => ({ title, scenarios: scenarios.filter(({ name }) => headingOf(name) === title) }))
    .filter((group) => group.scenarios.length > 0)
}

/** All scenarios, each with its promise. A click switches to a scenario. */
export function Scenarios({ panel, state }: PartProps) {
  const { scenarios } = state
  const [wanted, setWanted] = useState('')
  const found = scenarios.filter(({ name, title, promise }) => mentions(`${name} ${title} ${promise}`, wanted))
  const grouped = groupScenarios(found)
  const shown = grouped.flatMap((group) => group.scenarios)
  const [first] = wanted === '' ? [] : ranked(shown, wanted, ({ name, title, promise }) => [name, title, promise])
  const choose = (name: string) => {
    setWanted('')
    void panel.switchTo([name])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its field and its buttons take the keys
    <div onKeyDown={move}>
      <div class="line">
        <h2 id="scenarios-heading">Scenarios</h2>
        <input
          type="search"
          class="grow"
          placeholder="Find a scenario"
          aria-label="Find a scenario"
          value={wanted}
          onInput={({ currentTarget }) => setWanted(currentTarget.value)}
          onKeyDown={({ key, currentTarget }) => {
            if (key !== 'Enter' || first === undefined) return
            choose(first.name)
            leave(currentTarget)
          }}
        />
      </div>
      {state.data === undefined && <p class="empty">Connecting …</p>}
      <FlagChips panel={panel} state={state} />
      {scenarios.length > 0 && found.length === 0 && <p class="empty">No scenario matches.</p>}
      {grouped.map(({ title, scenarios }) => (
        <section key={title} aria-label={title}>
          <h3 class="label">{title}</h3>
          <ul class="box">
            {scenarios.map((scenario) => (
              <ScenarioRow
                key={scenario.name}
                {...{ panel, state, scenario }}
                isFirst={scenario === first}
                onChoose={choose}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

/** The active states of features, such as `new-checkout:off`: no list has them. */
function FlagChips({ panel, state }: PartProps) {
  const flags = activeNames(state)
    .split(',')
    .filter((name) => name.includes(':'))
  if (flags.length === 0) return null
  return (
    <p class="line">
      {flags.map((flag) => (
        <Button
          key={flag}
          class="pill"
          aria-label={`Remove ${titleOf(state, flag)}`}
          onClick={() => panel.tellFlags(flags.filter((name) => name !== flag))}
        >
          {titleOf(state, flag)} ✕
        </Button>
      ))}
    </p>
  )
}

/** The arrow keys move from the field to the scenarios, and between scenarios. */
function move(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input[type=search], .choose')]
  const at = stops.indexOf(event.target as HTMLElement)
  if (step === undefined || at === -1) return
  event.preventDefault()
  stops[Math.max(at + step, 0)]?.focus()
}

interface RowProps extends PartProps {
  scenario: ScenarioState
  /** Whether Enter in the search field selects it. */
  isFirst: boolean
  onChoose(name: string): void
}

function ScenarioRow({ panel, state, scenario, isFirst, onChoose }: RowProps) {
  const { name, title, promise } = scenario
  const isUnknown = panel.host.addressFault?.() !== undefined
  const active = !isUnknown && shownScenario(state).split(',').includes(name)
  return (
    <li class={`scenario ${active ? 'active' : ''} ${isFirst ? 'first' : ''}`}>
      <button type="button" class="plain choose" aria-pressed={active} onClick={() => onChoose(name)}>
        <span class="name">{title}</span>
        <span class="promise muted small">{promise}</span>
      </button>
      {active && (
        <span class="here" aria-hidden="true">
          ✓
        </span>
      )}
      <Menu label={`More about ${title}`} class="icon" face={<span aria-hidden="true">⋯</span>}>
        <ScenarioItems panel={panel} state={state} scenario={scenario} />
      </Menu>
    </li>
  )
}

/** The other actions for a scenario, in words. */
function ScenarioItems({ panel, state, scenario }: Omit<RowProps, 'isFirst' | 'onChoose'>) {
  const { name, title, promise, active, saved } = scenario
  const path = `scenarios/${encodeURIComponent(name)}`
  const { scenarioLink, links } = panel.host
  const current = activeNames(state).split(',')
  const others = current.filter((one) => one !== name)
  const { worlds = [] } = state.sessions.find((session) => session.name === state.place.session) ?? {}
  const isSaved = groupScenarios([scenario])[0]?.title === OWN
  return (
    <>
      <h3>{title}</h3>
      <p class="muted small">
        {promise} Its name is <code>{name}</code>.
      </p>
      {!active && <Item onClick={() => panel.switchTo([...current, name])}>Combine with the active scenario</Item>}
      {active && scenariosIn(others.join(',')).length > 0 && (
        <Item onClick={() => panel.switchTo(others)}>Remove from the combination</Item>
      )}
      {worlds.includes(name) && shownScenario(state) !== name && (
        <Item onClick={() => panel.go({ world: name })}>View its data without switching</Item>
      )}
      {scenarioLink !== undefined && !(saved && links === undefined) && (
        <CopyButton
          panel={panel}
          class="item"
          text={scenarioLink(name, state.situation.app)}
          what={`a link to ${name}`}
        >
          Copy a QA link
        </CopyButton>
      )}
      <CopyButton panel={panel} class="item" text={`?scenario=${name}`} what={`?scenario=${name}`}>
        Copy as query parameter
      </CopyButton>
      {isSaved && <Item onClick={() => panel.download(path, `${name}.json`)}>Download {name}.json</Item>}
      {saved && <Item onClick={() => panel.remove(path, `Removed “${title}”.`)}>Remove</Item>}
    </>
  )
}
