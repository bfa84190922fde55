import { counted } from '../support/text.js'
import { Clock, ClockFace } from './clock.js'
import { Button, Item, Menu, type PartProps, QuietButton } from './controls.js'
import { sides } from './host.js'
import { shownScenario, titleOf } from './panel-state.js'
import { Sessions } from './sessions.js'
import { Share } from './share.js'
import { redoKey, undoKey } from './shortcuts.js'
import { SignedIn } from './signed-in.js'
import { Troubles, troublesIn } from './trouble.js'

const connectionWords = { connecting: 'Connecting …', open: 'Live', lost: 'Connection lost' } as const

interface StatusProps extends PartProps {
  isNarrow: boolean
}

/** The status line: a sentence whose words open the parts that they name, and the area below it. */
export function Status({ panel, state, isNarrow }: StatusProps) {
  const { connection, clock, place } = state
  const { host } = panel
  const { isOwnPage, dock } = host
  const Head = isOwnPage ? 'header' : 'div'
  const name = place.world !== '' ? 'You' : place.session === '' ? 'Everybody' : place.session
  const fault = host.addressFault?.()
  const notices = connection === 'lost' ? 0 : troublesIn(panel, state).length
  return (
    <Head class="top">
      <div class="status">
        <Mark />
        <h1 class="spoken">flagdouble</h1>
        <div class="says">
          {/* Sessions come and go without an event. */}
          <Menu
            label="Session"
            class="session-name"
            face={<span class="cut">{name}</span>}
            onOpen={() => void panel.refresh()}
          >
            <h2>{place.session === '' ? 'The shared session' : `Session ${place.session}`}</h2>
            <p class="muted small">
              Each session has its own data, scenario, clock and requests. A request names its session in the header{' '}
              <code>x-mock-session</code> or the cookie <code>mock-session</code>.
            </p>
            <Sessions panel={panel} state={state} />
          </Menu>
          <span class="muted">{place.world === '' ? 'sees' : 'see'}</span>
          <ScenarioOpener panel={panel} state={state} isNarrow={isNarrow} />
          <Menu
            label="Clock"
            class="clock-face"
            face={clock === undefined ? '…' : <ClockFace clock={clock} isBrief={isNarrow} />}
          >
            <Clock panel={panel} state={state} />
          </Menu>
          <SignedIn panel={panel} state={state} />
        </div>
        <p class={`connection small ${notices > 0 ? 'noticed' : connection}`} role="status">
          {fault === undefined || connection !== 'open' ? connectionWords[connection] : 'Unknown scenario'}
          {notices > 0 && ` · ${counted(notices, 'notice')}`}
        </p>
        <Share panel={panel} state={state} />
        <MainMenu panel={panel} state={state} />
        {dock !== undefined && (
          <Button class="plain icon" aria-label="Close the panel (Ctrl+Alt+M)" onClick={() => dock.close()}>
            ✕
          </Button>
        )}
      </div>
      <Troubles panel={panel} state={state} />
    </Head>
  )
}

/** Opens the scenarios, and returns from there. */
function ScenarioOpener({ panel, state, isNarrow }: StatusProps) {
  const isOpen = isNarrow && state.place.part === 'scenarios'
  const isUnknown = panel.host.addressFault?.() !== undefined
  const title = isUnknown ? 'no scenario' : titleOf(state, shownScenario(state)) || '…'
  const open = (button: HTMLElement) => {
    if (isNarrow) panel.go({ part: isOpen ? '' : 'scenarios' })
    else button.closest('.app')?.querySelector<HTMLElement>('.side input')?.focus()
  }
  return (
    <Button
      class="opener scenario-name"
      aria-label={`Scenario: ${title}`}
      title={title}
      {...(isNarrow && { 'aria-expanded': isOpen })}
      onClick={({ currentTarget }) => open(currentTarget)}
    >
      <span class="cut">{title}</span>
    </Button>
  )
}

function MainMenu({ panel, state }: PartProps) {
  const { dock } = panel.host
  const { app } = state.situation
  return (
    <Menu label="More" class="icon" face={<span aria-hidden="true">⋯</span>}>
      {app !== undefined && (
        <a class="button item" href={app}>
          Open the app
        </a>
      )}
      <Item onClick={() => panel.step('undo')}>
        Undo <kbd>{undoKey}</kbd>
      </Item>
      <Item onClick={() => panel.step('redo')}>
        Redo <kbd>{redoKey}</kbd>
      </Item>
      <Item onClick={() => panel.help(true)}>
        Keyboard shortcuts <kbd>?</kbd>
      </Item>
      <div class="apart">
        <Item onClick={() => panel.startOver()}>
          <span>
            Start over
            <span class="muted small">
              Resets data, rules and clock, and clears the requests. All users stay signed in.
            </span>
          </span>
        </Item>
      </div>
      {dock !== undefined && (
        <fieldset class="sides line" aria-label="Panel position">
          {sides.map((side) => (
            <Button
              key={side}
              class="plain icon"
              aria-label={`Panel at the ${side}`}
              title={`Panel at the ${side}`}
              aria-pressed={dock.side() === side}
              onClick={() => dock.move(side)}
            >
              <svg viewBox="0 0 16 16" width="16" height="16" fill="currentcolor" aria-hidden="true">
                <rect x="1.5" y="2.5" width="13" height="11" rx="1.5" fill="none" stroke="currentcolor" />
                <path d={sidePaths[side]} />
              </svg>
            </Button>
          ))}
        </fieldset>
      )}
      <p class="muted small">flagdouble {state.health.version}. Everything here is also available under /__mock.</p>
    </Menu>
  )
}

const sidePaths = { left: 'M2 3h4v10H2z', bottom: 'M2 9h12v4H2z', right: 'M10 3h4v10h-4z' }

/** The outcome of the last action, in a separate line that hides nothing. Without an outcome, some of the keys. */
export function Messages({ panel, state: { message } }: PartProps) {
  const Foot = panel.host.isOwnPage ? 'footer' : 'div'
  return (
    <Foot class={message?.failed ? 'foot failed' : 'foot'}>
      <div aria-live={message?.failed ? 'assertive' : 'polite'}>
        {message !== undefined && (
          <div class="message line">
            <p>
              {message.failed && <strong>That didn't work. </strong>}
              {message.text}
              {message.hint !== '' && <span class="hint muted">{message.hint}</span>}
            </p>
            {message.action !== undefined && (
              <QuietButton onClick={message.action.run}>{message.action.label}</QuietButton>
            )}
            <QuietButton onClick={() => panel.dismiss()}>Dismiss</QuietButton>
          </div>
        )}
      </div>
      {message === undefined && (
        <p class="muted small">
          <kbd>s</kbd> find a scenario · <kbd>{undoKey}</kbd> undo · <kbd>?</kbd> all keys
        </p>
      )}
    </Foot>
  )
}

/** The flag and its double. */
function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="26" height="26" fill="currentcolor" aria-hidden="true">
      <path d="M6 4v25" stroke="currentcolor" stroke-width="3" stroke-linecap="round" />
      <path d="M8 5h13l-3 5 3 5H8z" />
      <path d="M13 13h13l-3 5 3 5H13z" opacity=".45" />
    </svg>
  )
}
