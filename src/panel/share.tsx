import { counted } from '../support/text.js'
import { CopyButton, Field, Item, Menu, onSubmit, type PartProps, QuietButton } from './controls.js'
import { addedRules, lastOfUser, shownScenario, titleOf } from './panel-state.js'
import { whyIdle } from './rules.js'
import { nameOf } from './words.js'

/** Everything to share: a link, a scenario file, a test, a command. */
export function Share({ panel, state }: PartProps) {
  const { links, scenarioLink } = panel.host
  const scenario = shownScenario(state)
  const title = titleOf(state, scenario)
  const last = lastOfUser(state)
  const used = addedRules(state).filter((rule) => whyIdle(rule) === 'used up')
  const hasLink = links !== undefined || !state.scenarios.some(({ name, saved }) => saved && name === scenario)
  const save = ({ title = '', promise = '' }: Record<string, string>) =>
    panel.saveScenario({ name: nameOf(title), title, promise })
  return (
    <Menu label="Share" class="share" face="Share">
      {scenarioLink !== undefined && hasLink && (
        <CopyButton
          panel={panel}
          class="item"
          text={scenarioLink(scenario, state.situation.app)}
          what={`a link that opens ${title}`}
        >
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
        {used.length > 0 && (
          <p class="line small">
            <span>
              {counted(used.length, 'rule')} used up: the scenario leaves {used.length === 1 ? 'it' : 'them'} out.
            </span>
            <QuietButton onClick={() => used.map((rule) => panel.arm(rule))}>Arm again</QuietButton>
          </p>
        )}
        <Field name="title" label="Title" required pattern=".*[A-Za-z0-9].*" placeholder="A slow Monday" />
        <Field name="promise" label="Promise (optional)" placeholder="Every response takes a second." />
        <button type="submit" class="primary">
          Save
        </button>
      </form>
    </Menu>
  )
}
