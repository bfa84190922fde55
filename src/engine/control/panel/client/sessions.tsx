import { counted } from '../../../../support/text.js'
import { CopyButton, Field, Item, onSubmit, type PartProps } from './controls.js'
import { shownSessions, titleOf } from './panel-state.js'
import { sessionWords } from './words.js'

/** All sessions; a click opens one in the panel. */
export function SessionList({ panel, state }: PartProps) {
  return (
    <ul class="box">
      {shownSessions(state).map(({ name, scenario, requests }) => (
        <li key={name}>
          <Item aria-pressed={name === state.place.session} onClick={() => panel.go({ session: name, world: '' })}>
            <strong class="grow">{name === '' ? 'shared' : name}</strong>
            <span class="muted small">
              {titleOf(state, scenario)} · {counted(requests, 'request')}
            </span>
          </Item>
        </li>
      ))}
    </ul>
  )
}

/** Opens a session by its name, whether there is one yet or not. */
export function OpenSession({ panel }: Pick<PartProps, 'panel'>) {
  const open = ({ name = '' }: Record<string, string>) => panel.go({ session: name, world: '' })
  return (
    <form class="line" onSubmit={onSubmit(open)}>
      <Field name="name" label="Another session" class="grow" required placeholder="name" />
      <button type="submit">Open</button>
    </form>
  )
}

/** How this browser, and others, get into a session. */
export function SessionLinks({ panel, state, name }: PartProps & { name: string }) {
  const { links } = panel.host
  if (links === undefined) return null
  const { part } = state.place
  const place = { part, session: name, world: '' }
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
        <CopyButton panel={panel} text={links.join(name, place)} what={`a link into ${sessionWords(name)}`}>
          Copy link
        </CopyButton>
      )}
      <CopyButton panel={panel} text={links.panel(place)} what={`the panel's address for ${sessionWords(name)}`}>
        Copy panel link
      </CopyButton>
    </div>
  )
}
