import type { State } from '../../../state/state.js'
import { DAY, hasCome } from '../../../support/calendar.js'
import { counted } from '../../../support/text.js'
import { Field, onSubmit, type PartProps, QuietButton } from './controls.js'
import { worldTime } from './panel-state.js'
import { instantWords, relativeWords } from './words.js'

type Token = State['signupTokens'][number]

const path = '/api/admin/invite-link/tokens'

/** `Expires in 30 days`, at a time of the world. */
export function expiryWords(token: Token, now: Date): string {
  const words = relativeWords(Date.parse(token.expiresAt) - now.getTime())
  if (hasCome(token.expiresAt, now)) return `Expired ${words}${token.enabled ? ', though stored as enabled' : ''}`
  return `Expires ${words}`
}

/** The signup tokens: what they are at the world's time, and what can be done with them. */
export function Invites({ panel, state }: PartProps) {
  const { data, clock } = state
  if (data === undefined || clock === undefined) return <p class="empty">Loading the invites …</p>
  const now = worldTime(clock)
  return (
    <section class="stack" aria-labelledby="invites-heading">
      <div class="line ends">
        <h3 id="invites-heading">Signup tokens</h3>
        <NewInvite panel={panel} now={now} />
      </div>
      {data.signupTokens.length === 0 && <p class="empty">No signup tokens.</p>}
      <ul class="stack">
        {data.signupTokens.map((token) => (
          <li key={token.secret} class="card">
            <Invite panel={panel} token={token} now={now} />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface InviteProps extends Pick<PartProps, 'panel'> {
  token: Token
  now: Date
}

function Invite({ panel, token, now }: InviteProps) {
  const { name, secret, enabled, expiresAt } = token
  const isOver = hasCome(expiresAt, now)
  const update = (done: string, change: { enabled?: boolean; expiresAt?: string }) =>
    panel.operate(done, 'PUT', `${path}/${encodeURIComponent(secret)}`, change)
  const later = new Date(Math.max(now.getTime(), Date.parse(expiresAt)) + 7 * DAY).toISOString()
  return (
    <>
      <div class="line ends">
        <h4>{name}</h4>
        <span class={isOver ? 'pill bad' : enabled ? 'pill ok' : 'pill warn'}>
          {isOver ? 'expired' : enabled ? 'usable' : 'disabled'}
        </span>
        <span class="line">
          <QuietButton
            disabled={isOver}
            aria-label={`Expire now: ${name}`}
            onClick={() => update(`${name} has expired.`, { expiresAt: new Date(now.getTime() - 1000).toISOString() })}
          >
            Expire now
          </QuietButton>
          <QuietButton
            aria-label={`+7 days: ${name}`}
            onClick={() => update(`${name} expires 7 days later.`, { expiresAt: later })}
          >
            +7 days
          </QuietButton>
          <QuietButton
            class="quiet steady"
            aria-label={`${enabled ? 'Disable' : 'Enable'} ${name}`}
            onClick={() => update(`${name} is ${enabled ? 'disabled' : 'enabled'}.`, { enabled: !enabled })}
          >
            {enabled ? 'Disable' : 'Enable'}
          </QuietButton>
        </span>
      </div>
      <p>
        {expiryWords(token, now)} <span class="muted">({instantWords(expiresAt)})</span>
      </p>
      <p class="muted">
        <code>{secret}</code> · signs up as {token.role.name} · {counted(token.users.length, 'user')} so far
      </p>
    </>
  )
}

/** A new one, valid for some days. */
function NewInvite({ panel, now }: Omit<InviteProps, 'token'>) {
  const create = async ({ name = '', days = '' }: Record<string, string>, form: HTMLFormElement) => {
    const expiresAt = new Date(now.getTime() + Number(days) * DAY).toISOString()
    if (await panel.operate(`${name} is created.`, 'POST', path, { name, expiresAt })) form.reset()
  }
  return (
    <form class="line" aria-label="New signup token" onSubmit={onSubmit(create)}>
      <Field name="name" label="New invite" required placeholder="name" />
      <Field name="days" label="Days" class="short" type="number" min="1" max="31" required defaultValue="30" />
      <button type="submit">Create</button>
    </form>
  )
}
