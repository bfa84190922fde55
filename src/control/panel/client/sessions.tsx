import type { PartProps } from './part.js'
import { counted } from './words.js'

/** All sessions; one of them is open in the panel. */
export function Sessions({ panel, state: { sessions, view } }: PartProps) {
  const open = (event: Event) => {
    event.preventDefault()
    const name = new FormData(event.target as HTMLFormElement).get('name')
    panel.open({ session: String(name).trim(), world: '' })
  }
  return (
    <>
      <p class="lead">
        A request names its session in the header <code>x-mock-session</code> or the cookie <code>mock-session</code>.
        Without one it belongs to the shared session. Each session has its own data, scenario, clock and journal.
      </p>
      <ul class="cards">
        {sessions.map(({ name, scenario, requests }) => (
          <li key={name} class={name === view.session ? 'card current' : 'card'}>
            <div class="card-head">
              <h3>{name === '' ? 'The shared session' : <code>{name}</code>}</h3>
              {name === view.session ? (
                <span class="tag ok">open</span>
              ) : (
                <button type="button" onClick={() => panel.open({ session: name, world: '' })}>
                  Open
                </button>
              )}
            </div>
            <p class="muted">
              {scenario} · {counted(requests, 'request')}
            </p>
          </li>
        ))}
      </ul>
      <form class="row" onSubmit={open}>
        <label class="field">
          <span class="label">Another session</span>
          <input name="name" required placeholder="name" autoComplete="off" />
        </label>
        <button type="submit">Open</button>
      </form>
    </>
  )
}
