import type { PartProps } from './part.js'
import { counted } from './words.js'

/** All sessions; one of them is looked at. */
export function Sessions({ panel, state: { sessions, view } }: PartProps) {
  const open = (event: Event) => {
    event.preventDefault()
    const name = new FormData(event.target as HTMLFormElement).get('name')
    panel.look({ session: String(name).trim(), world: '' })
  }
  return (
    <>
      <p class="lead">
        A request names its session in the header <code>x-mock-session</code> or the cookie <code>mock-session</code>.
        Without one it belongs to the unnamed session. Each has data, a scenario, a clock and a journal of its own.
      </p>
      <ul class="cards">
        {sessions.map(({ name, scenario, requests }) => (
          <li key={name} class={name === view.session ? 'card current' : 'card'}>
            <div class="card-head">
              <h3>{name === '' ? 'The unnamed session' : <code>{name}</code>}</h3>
              {name === view.session ? (
                <span class="tag ok">looked at</span>
              ) : (
                <button type="button" onClick={() => panel.look({ session: name, world: '' })}>
                  Look at it
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
          <input name="name" required placeholder="its name" autoComplete="off" />
        </label>
        <button type="submit">Look at it</button>
      </form>
    </>
  )
}
