import { useRef } from 'preact/hooks'
import { ClockFace } from './clock.js'
import { Button, Choice, type PartProps, QuietButton } from './controls.js'
import { type PanelState, shownSessions, switchedTo, worldName } from './panel-state.js'
import { sessionWords } from './words.js'

/** Resets the session, once the user has confirmed it. */
function Reset({ panel, state }: PartProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { session } = state.place
  const close = () => dialog.current?.close()
  return (
    <>
      <QuietButton onClick={() => dialog.current?.showModal()}>Reset…</QuietButton>
      <dialog ref={dialog} aria-labelledby="reset-question">
        <h2 id="reset-question">Reset {sessionWords(session)}?</h2>
        <p>
          All its changes are lost, in every scenario, also those kept by <code>--state</code>. Clocks, forced answers
          and the journal start over. Other sessions stay as they are.
        </p>
        <div class="line">
          <Button onClick={close}>Cancel</Button>
          <Button
            class="primary"
            onClick={() => {
              close()
              void panel.reset()
            }}
          >
            Reset
          </Button>
        </div>
      </dialog>
    </>
  )
}

/** The outcome of the last action. Failures stay until dismissed. */
export function Messages({ panel, state: { message } }: PartProps) {
  return (
    <div class="messages" aria-live={message?.failed ? 'assertive' : 'polite'}>
      {message !== undefined && (
        <div class={message.failed ? 'message failed' : 'message'}>
          <p>
            {message.failed && <strong>That didn't work. </strong>}
            {message.text}
            {message.hint !== '' && <span class="hint muted">{message.hint}</span>}
          </p>
          <span class="line">
            {message.undo !== undefined && <QuietButton onClick={message.undo}>Undo</QuietButton>}
            <QuietButton onClick={() => panel.dismiss()}>Dismiss</QuietButton>
          </span>
        </div>
      )}
    </div>
  )
}

const connectionWords = { connecting: 'Connecting …', open: 'Live', lost: 'Connection lost' } as const

/** The panel's header: the open session and world, the clock and the connection. */
export function Top({ panel, state }: PartProps) {
  const { connection, refusal, clock } = state
  const Head = panel.host.isOwnPage ? 'header' : 'div'
  return (
    <>
      <Head class="top line ends">
        <div class="line">
          <Mark />
          <h1>
            flagdouble <small>control panel</small>
          </h1>
          <p class={`connection small muted ${connection}`} role="status">
            {connectionWords[connection]}
          </p>
        </div>
        <div class="line where">
          <SessionChoice panel={panel} state={state} />
          <WorldChoice panel={panel} state={state} />
          <p class="fact">
            <span class="label">Clock</span>
            {clock === undefined ? '…' : <ClockFace clock={clock} />}
          </p>
          <Reset panel={panel} state={state} />
          <QuietButton aria-label="Keyboard shortcuts" onClick={() => panel.help(true)}>
            ?
          </QuietButton>
        </div>
      </Head>
      {connection === 'lost' && (
        <p class="banner bad" role="alert">
          {refusal === undefined ? "The mock isn't responding." : `${refusal.message} ${refusal.hint}`} This is the last
          known state; the panel reconnects by itself.
        </p>
      )}
      <CookieBanner panel={panel} state={state} />
    </>
  )
}

function SessionChoice({ panel, state }: PartProps) {
  return (
    <Choice
      label="Session"
      class="fact"
      value={state.place.session}
      options={shownSessions(state).map(({ name }) => [name, name === '' ? 'shared' : name])}
      onChoose={(session) => panel.go({ session, world: '' })}
    />
  )
}

function WorldChoice({ panel, state }: PartProps) {
  const active = switchedTo(state)
  return (
    <Choice
      label="Data of"
      class="fact grow"
      title={worldName(state)}
      value={state.place.world}
      options={[
        ['', active === '' ? '…' : `${active} (active)`],
        ...otherWorlds(state).map((name) => [name, name] as const),
      ]}
      onChoose={(world) => panel.go({ world })}
    />
  )
}

function otherWorlds(state: PanelState): string[] {
  const { sessions, place, cookies } = state
  const worlds = sessions.find(({ name }) => name === place.session)?.worlds ?? []
  const others = new Set([...worlds, cookies.scenario, place.world])
  others.delete('')
  if (place.world !== switchedTo(state)) others.delete(switchedTo(state))
  return [...others].sort()
}

/** Says when this browser's cookies lead its pages elsewhere than the panel shows. */
function CookieBanner({ panel, state }: PartProps) {
  const { cookies, place } = state
  const isElsewhere = cookies.session !== '' && cookies.session !== place.session
  const isUnder = cookies.scenario !== '' && cookies.scenario !== place.world
  if (!isElsewhere && !isUnder) return null
  return (
    <div class="banner line warn">
      <p>
        {isUnder ? (
          <>
            A QA link set a cookie in this browser: pages on this host get the scenario{' '}
            <strong>{cookies.scenario}</strong>, whatever the session is switched to.{' '}
          </>
        ) : (
          <>
            Pages on this host use the session <strong>{cookies.session}</strong> in this browser.{' '}
          </>
        )}
        The panel shows the data of <strong>{worldName(state)}</strong>
        {isElsewhere && <> in {sessionWords(place.session)}</>}.
      </p>
      <Button onClick={() => panel.go({ session: cookies.session || place.session, world: cookies.scenario })}>
        Open {isUnder ? cookies.scenario : cookies.session}
      </Button>
      <Button onClick={() => panel.dropCookies()}>Remove the cookie</Button>
    </div>
  )
}

/** The flag and its double. */
function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
      <path class="pole" d="M6 4v25" />
      <path d="M8 5h13l-3 5 3 5H8z" />
      <path class="double" d="M13 13h13l-3 5 3 5H13z" />
    </svg>
  )
}
