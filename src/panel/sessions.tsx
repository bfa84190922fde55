import { counted } from '../support/text.js'
import { CopyButton, Field, Item, onSubmit, type PartProps } from './controls.js'
import { shownSessions, titleOf } from './panel-state.js'
import { sessionWords } from './words.js'

/** All sessions, with buttons to open any session, even a new one, and with ways for browsers to join the open session. */
export function Sessions({ panel, state }: PartProps) {
  const { links } = panel.host
  const { part, session } = state.place
  const place = { part, session, world: '' }
  const isUsed = state.cookies.session === session && state.cookies.scenario === ''
  const open = (name: string) => panel.go({ session: name, world: '' })
  return (
    <>
      <ul class="box">
        {shownSessions(state).map(({ name, scenario, requests }) => (
          <li key={name}>
            <Item aria-pressed={name === session} onClick={() => open(name)}>
              <strong class="grow">{name === '' ? 'shared' : name}</strong>
              <span class="muted small">
                {titleOf(state, scenario)} · {counted(requests, 'request')}
              </span>
            </Item>
          </li>
        ))}
      </ul>
      <form class="line" onSubmit={onSubmit(({ name = '' }) => open(name))}>
        <Field name="name" label="Another session" class="grow" required placeholder="name" />
        <button type="submit">Open</button>
      </form>
      {links !== undefined && (
        <div class="line">
          {isUsed ? (
            <span class="pill ok">used by this browser</span>
          ) : (
            <a class="button quiet" href={session === '' ? links.leave(place) : links.join(session, place)}>
              Use {session === '' ? 'it' : 'this session'} in my browser
            </a>
          )}
          {session !== '' && (
            <CopyButton
              panel={panel}
              text={links.join(session, state.situation.app ?? place)}
              what={`a link into ${sessionWords(session)}`}
            >
              Copy link
            </CopyButton>
          )}
          <CopyButton panel={panel} text={links.panel(place)} what={`the panel link for ${sessionWords(session)}`}>
            Copy panel link
          </CopyButton>
        </div>
      )}
    </>
  )
}
