import { CopyButton, Field, Item, Menu, onSubmit, type PartProps } from './controls.js'
import { fromApp, shownScenario, titleOf } from './panel-state.js'
import { nameOf } from './words.js'

/** Everything to share: a link, a scenario file, a test, a command. */
export function Share({ panel, state }: PartProps) {
  const { links, scenarioLink } = panel.host
  const scenario = shownScenario(state)
  const title = titleOf(state, scenario)
  const last = fromApp(state.entries).at(-1)
  const save = ({ title = '', promise = '' }: Record<string, string>) =>
    panel.saveScenario({ name: nameOf(title), title, promise })
  return (
    <Menu label="Share" class="share" face="Share">
      {scenarioLink !== undefined && (
        <CopyButton panel={panel} class="item" text={scenarioLink(scenario)} what={`a link that opens ${title}`}>
          Copy the QA link
        </CopyButton>
      )}
      <Item disabled={last === undefined} onClick={() => last && panel.copyAs('vitest', last)}>
        Copy the last request as a test
      </Item>
      {links !== undefined && (
        <Item disabled={last === undefined} onClick={() => last && panel.copyAs('curl', last)}>
          Copy the last request as curl
        </Item>
      )}
      <form class="stack" aria-label="Save as scenario" onSubmit={onSubmit(save)}>
        <h2>Save as scenario</h2>
        <p class="muted small">
          The differences from {title}, the rules, and the clock if it is frozen.{' '}
          {links === undefined ? 'The file is downloaded.' : 'A link that opens it is copied.'}
        </p>
        <Field name="title" label="Title" required pattern=".*[A-Za-z0-9].*" placeholder="A slow Monday" />
        <Field name="promise" label="Promise (optional)" placeholder="Every response takes a second." />
        <button type="submit" class="primary">
          Save
        </button>
      </form>
    </Menu>
  )
}
