import { counted } from '../../../support/text.js'
import { Button, CopyButton, Field, onSubmit, type PartProps } from './controls.js'
import { shownSessions } from './panel-state.js'
import { sessionWords } from './words.js'

/** All sessions; one of them is open in the panel. */
export function Sessions({ panel, state }: PartProps) {
  const { place } = state
  const open = ({ name = '' }: Record<string, string>) => panel.go({ session: name, world: '' })
  return (
    <>
      <p class="lead muted">
        Each session has its own data, scenario, clock and journal. A request names its session in the header{' '}
        <code>x-mock-session</code> or the cookie <code>mock-session</code>. Without one it belongs to the shared
        session.
      </p>
      <form class="line" onSubmit={onSubmit(open)}>
        <Field name="name" label="Another session" required placeholder="name" />
        <button type="submit">Open</button>
      </form>
      <ul class="stack">
        {shownSessions(state).map(({ name, scenario, requests }) => (
          <li key={name} class={name === place.session ? 'card current' : 'card'}>
            <div class="line ends">
              <h3>{name === '' ? 'The shared session' : <code>{name}</code>}</h3>
              {name === place.session ? (
                <span class="pill ok">open</span>
              ) : (
                <Button onClick={() => panel.go({ session: name, world: '' })}>Open</Button>
              )}
            </div>
            <p class="muted">
              {scenario} · {counted(requests, 'request')}
            </p>
            <SessionLinks panel={panel} state={state} name={name} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** How this browser, and others, get into a session. */
function SessionLinks({ panel, state, name }: PartProps & { name: string }) {
  const { links } = panel.host
  if (links === undefined) return null
  const place = { part: 'requests', session: name, world: '' }
  const what = sessionWords(name)
  const isUsed = state.cookies.session === name && state.cookies.scenario === ''
  return (
    <div class="line">
      {isUsed ? (
        <span class="pill ok">used by this browser</span>
      ) : (
        <a class="button quiet" href={name === '' ? links.leave(place) : links.join(name, place)}>
          Use {name === '' ? 'it' : 'this session'} in my browser
        </a>
      )}
      {name !== '' && (
        <CopyButton panel={panel} text={links.join(name, place)} what={`a link into ${what}`}>
          Copy link
        </CopyButton>
      )}
      <CopyButton panel={panel} text={links.panel(place)} what={`the panel's address for ${what}`}>
        Copy panel link
      </CopyButton>
    </div>
  )
}
