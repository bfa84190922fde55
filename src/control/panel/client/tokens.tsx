import type { State } from '../../../state/state.js'
import { hasCome } from '../../../support/calendar.js'
import { useSeconds } from './clock-face.js'
import { worldTime } from './panel-state.js'
import type { PartProps } from './part.js'
import { counted, instantWords, relativeWords } from './words.js'

type Token = State['signupTokens'][number]

/** Milliseconds past the expiry to jump to, so that there is no doubt. */
const JUST_PAST = 1000

/** The signup tokens and their status at the world's time. */
export function Tokens({ panel, state: { data, clock } }: PartProps) {
  useSeconds()
  if (data === undefined || clock === undefined) return <p class="empty">Loading the tokens …</p>
  if (data.signupTokens.length === 0) return <p class="empty">No signup tokens.</p>
  const now = worldTime(clock)
  return (
    <ul class="cards">
      {data.signupTokens.map((token) => (
        <li key={token.secret} class="card">
          <div class="card-head">
            <h4>{token.name}</h4>
            <TokenTag token={token} now={now} />
            <button
              type="button"
              class="quiet"
              aria-label={`Jump just past the expiry of ${token.name}`}
              onClick={() => panel.setClock(new Date(Date.parse(token.expiresAt) + JUST_PAST).toISOString())}
            >
              Jump just past expiry
            </button>
          </div>
          <p>
            {expiryWords(token, now)} <span class="muted">({instantWords(token.expiresAt)})</span>
          </p>
          <p class="muted">
            <code>{token.secret}</code> · signs up as {token.role.name} · {counted(token.users.length, 'user')} so far
          </p>
        </li>
      ))}
    </ul>
  )
}

function TokenTag({ token, now }: { token: Token; now: Date }) {
  if (hasCome(token.expiresAt, now)) return <span class="tag bad">expired</span>
  return token.enabled ? <span class="tag ok">usable</span> : <span class="tag warn">disabled</span>
}

function expiryWords(token: Token, now: Date): string {
  const words = relativeWords(Date.parse(token.expiresAt) - now.getTime())
  if (hasCome(token.expiresAt, now)) return `Expired ${words}${token.enabled ? ', though stored as enabled' : ''}`
  return `Expires ${words}`
}
