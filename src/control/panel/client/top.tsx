import { useRef } from 'hono/jsx/dom'
import { ClockFace } from './clock-face.js'
import { type PanelState, switchedTo, worldName } from './panel-state.js'
import type { PartProps } from './part.js'

/** Resets the session, once the user has confirmed it. */
export function Reset({ panel, state }: PartProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { session } = state.view
  const close = () => dialog.current?.close()
  return (
    <>
      <button type="button" class="quiet" onClick={() => dialog.current?.showModal()}>
        Reset…
      </button>
      <dialog ref={dialog} aria-labelledby="reset-question">
        <h2 id="reset-question">Reset {session === '' ? 'the shared session' : `the session ${session}`}?</h2>
        <p>
          All its changes are lost, in every scenario, also those kept by <code>--state</code>. Clocks, forced answers
          and the journal start over. Other sessions stay as they are.
        </p>
        <div class="choices">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button
            type="button"
            class="primary"
            onClick={() => {
              close()
              void panel.reset()
            }}
          >
            Reset
          </button>
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
            {message.hint !== '' && <span class="hint">{message.hint}</span>}
          </p>
          <button type="button" class="quiet" onClick={() => panel.dismiss()}>
            Dismiss
          </button>
        </div>
      )}
    </div>
  )
}

const connectionWords = { connecting: 'Connecting …', open: 'Live', lost: 'Server gone' } as const

/** The page's header: the open session and world, the clock and the connection. */
export function Top({ panel, state }: PartProps) {
  const { connection, clock, cookie, view } = state
  return (
    <>
      <header class="top">
        <div class="brand">
          <Mark />
          <h1>
            flagdouble <small>control panel</small>
          </h1>
          <p class={`connection ${connection}`} role="status">
            {connectionWords[connection]}
          </p>
        </div>
        <div class="where">
          <SessionChoice panel={panel} state={state} />
          <WorldChoice panel={panel} state={state} />
          <p class="fact">
            <span class="label">Clock</span>
            <a href="#clock">{clock === undefined ? '…' : <ClockFace clock={clock} />}</a>
          </p>
          <Reset panel={panel} state={state} />
        </div>
      </header>
      {connection === 'lost' && (
        <p class="banner bad" role="alert">
          The server isn't responding. This is the last known state; the panel reconnects by itself.
        </p>
      )}
      {cookie !== '' && cookie !== view.world && <CookieBanner panel={panel} state={state} />}
    </>
  )
}

function SessionChoice({ panel, state }: PartProps) {
  const names = state.sessions.map(({ name }) => name)
  const shown = names.includes(state.view.session) ? names : [...names, state.view.session]
  return (
    <label class="fact">
      <span class="label">Session</span>
      <select
        value={state.view.session}
        onChange={(event: Event) => panel.open({ session: (event.target as HTMLSelectElement).value, world: '' })}
      >
        {shown.map((name) => (
          <option key={name} value={name}>
            {name === '' ? 'shared' : name}
          </option>
        ))}
      </select>
    </label>
  )
}

function WorldChoice({ panel, state }: PartProps) {
  const { view } = state
  return (
    <label class="fact">
      <span class="label">Data of</span>
      <select
        value={view.world}
        onChange={(event: Event) =>
          panel.open({ session: view.session, world: (event.target as HTMLSelectElement).value })
        }
      >
        <option value="">{switchedTo(state) === '' ? '…' : `${switchedTo(state)} (active)`}</option>
        {otherWorlds(state).map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

function otherWorlds(state: PanelState): string[] {
  const { sessions, view, cookie } = state
  const worlds = sessions.find(({ name }) => name === view.session)?.worlds ?? []
  const others = new Set([...worlds, cookie, view.world])
  others.delete('')
  if (view.world !== switchedTo(state)) others.delete(switchedTo(state))
  return [...others].sort()
}

function CookieBanner({ panel, state }: PartProps) {
  const { cookie, view } = state
  return (
    <div class="banner">
      <p>
        A QA link set a cookie in this browser: pages on this host get the scenario <strong>{cookie}</strong>, whatever
        the session is switched to. The panel shows the data of <strong>{worldName(state)}</strong>.
      </p>
      <button type="button" onClick={() => panel.open({ session: view.session, world: cookie })}>
        Open {cookie}
      </button>
      <button type="button" onClick={() => panel.dropCookie()}>
        Remove the cookie
      </button>
    </div>
  )
}

/** The flag and its double. */
function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
      <path class="pole" d="M6 4v25" />
      <path class="flag" d="M8 5h13l-3 5 3 5H8z" />
      <path class="double" d="M13 13h13l-3 5 3 5H13z" />
    </svg>
  )
}
