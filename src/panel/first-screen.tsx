import { realTime } from '../support/clock.js'
import { Button, type PartProps } from './controls.js'
import { pathOf } from './flags.js'
import { titleOf } from './panel-state.js'
import { EVERY_ADMIN } from './rule-form.js'
import { nameOf } from './words.js'

/** The start screen before the first request: three actions, each with one click. */
export function FirstScreen({ panel, state }: PartProps) {
  return (
    <div class="stack first-screen">
      <p>
        <strong>No requests yet.</strong>{' '}
        <span class="muted">Use the app, or try one of these. Each can be undone.</span>
      </p>
      <div class="cards">
        <SeeAnError panel={panel} state={state} />
        <ChangeAFlag panel={panel} state={state} />
        <ShareABug panel={panel} />
      </div>
    </div>
  )
}

function SeeAnError({ panel, state }: PartProps) {
  const failNext = () =>
    panel.act('POST', 'forced', { operation: EVERY_ADMIN, status: 403, times: 1 }, 'The next admin request gets a 403')
  const known = ['expired-token', 'slow'].filter((name) => state.scenarios.some((scenario) => scenario.name === name))
  return (
    <section class="card stack" aria-labelledby="see-heading">
      <h3 id="see-heading">See an error</h3>
      <p class="muted small">What does the app show when something goes wrong?</p>
      <Button onClick={failNext}>403 for the next request</Button>
      {known.map((name) => (
        <Button key={name} onClick={() => panel.switchTo([name])}>
          {titleOf(state, name)}
        </Button>
      ))}
    </section>
  )
}

function ChangeAFlag({ panel, state: { data } }: PartProps) {
  const feature = data?.features.find(({ archived, environments }) => !archived && environments.length > 0)
  const environment = feature?.environments.at(-1)
  const toggle = () => {
    if (feature === undefined || environment === undefined) return
    const { name, enabled } = environment
    void panel.operate('POST', `${pathOf(feature)}/environments/${encodeURIComponent(name)}/${enabled ? 'off' : 'on'}`)
  }
  return (
    <section class="card stack" aria-labelledby="change-heading">
      <h3 id="change-heading">Change a flag</h3>
      <p class="muted small">The app sees it with its next request.</p>
      {feature !== undefined && environment !== undefined && (
        <Button onClick={toggle}>
          Switch {feature.name} {environment.enabled ? 'off' : 'on'} in {environment.name}
        </Button>
      )}
      <Button onClick={() => panel.go({ part: 'data' })}>All flags, signup tokens and users</Button>
    </section>
  )
}

function ShareABug({ panel }: Pick<PartProps, 'panel'>) {
  const { links } = panel.host
  const share = () => {
    const title = `Shared ${new Date(realTime()).toISOString().slice(0, 19).replace('T', ' ')}`
    void panel.saveScenario({ name: nameOf(title), title })
  }
  return (
    <section class="card stack" aria-labelledby="share-heading">
      <h3 id="share-heading">Share a bug</h3>
      <p class="muted small">Others open your current data, rules and clock as one scenario.</p>
      <Button onClick={share}>
        {links === undefined ? 'Save this state as a file' : 'Save this state and copy its link'}
      </Button>
    </section>
  )
}
