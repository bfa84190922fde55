import { Menu, type PartProps, QuietButton } from './controls.js'

/** The signed-in users, with buttons that end their logins. */
export function SignedIn({ panel, state: { logins } }: PartProps) {
  const [first, ...others] = logins.toSorted((one, other) => Number(other.here) - Number(one.here))
  const names = first === undefined ? 'nobody' : `${first.name}${others.length > 0 ? ` + ${others.length}` : ''}`
  return (
    <>
      <span class="muted">· signed in:</span>
      <Menu label="Signed in" face={<span class="cut">{names}</span>} onOpen={() => void panel.refresh()}>
        <h2>Signed in</h2>
        {first === undefined && <p class="muted">Nobody.</p>}
        <ul class="box">
          {logins.map((login) => (
            <li key={login.user} class="row">
              <strong class="grow">{login.name}</strong>
              {login.here && <span class="pill ok">this browser</span>}
              <QuietButton
                aria-label={`Sign out ${login.name}`}
                onClick={() => panel.remove(`login/${login.user}`, `${login.name} is signed out.`)}
              >
                Sign out
              </QuietButton>
            </li>
          ))}
        </ul>
        <button type="button" class="item" onClick={() => panel.go({ part: 'data/users' })}>
          Sign in as a user …
        </button>
      </Menu>
    </>
  )
}
