import type { State } from '../engine/state/state.js'
import { DAY, isPast } from '../support/calendar.js'
import { counted } from '../support/text.js'
import { type DataProps, Field, LongList, onSubmit, QuietButton, Switch, useOperations } from './controls.js'
import type { Panel } from './panel.js'
import { worldTime } from './panel-state.js'
import { instantWords, relativeWords } from './words.js'

type Token = State['signupTokens'][number]

const path = '/api/admin/invite-link/tokens'

/** `Expires in 30 days`, at a time of the scenario. */
function expiryWords(token: Token, now: Date): string {
  const words = relativeWords(Date.parse(token.expiresAt) - now.getTime())
  if (isPast(token.expiresAt, now)) return `Expired ${words}${token.enabled ? ', though stored as enabled' : ''}`
  return `Expires ${words}`
}

/** The signup tokens: their state at the scenario's time, and their actions. */
export function SignupTokens({ panel, state: { clock }, data: { signupTokens } }: DataProps) {
  if (clock === undefined) return <p class="empty">Connecting …</p>
  const now = worldTime(clock)
  return (
    <>
      {signupTokens.length === 0 && <p class="empty">No signup tokens.</p>}
      <LongList
        items={signupTokens}
        keyOf={({ secret }) => secret}
        draw={(token) => <SignupToken panel={panel} token={token} now={now} />}
      />
      <NewSignupToken panel={panel} now={now} />
    </>
  )
}

interface SignupTokenProps {
  panel: Panel
  token: Token
  now: Date
}

function SignupToken({ panel, token, now }: SignupTokenProps) {
  const { name, secret, enabled, expiresAt } = token
  const { operate, refusal } = useOperations(panel)
  const isOver = isPast(expiresAt, now)
  const update = (change: { enabled?: boolean; expiresAt?: string }) =>
    operate('PUT', `${path}/${encodeURIComponent(secret)}`, change)
  const later = new Date(Math.max(now.getTime(), Date.parse(expiresAt)) + 7 * DAY).toISOString()
  return (
    <>
      <div class="row">
        <div class="grow first">
          <strong>{name}</strong>{' '}
          <span class={isOver ? 'pill bad' : enabled ? 'pill ok' : 'pill warn'}>
            {isOver ? 'expired' : enabled ? 'usable' : 'disabled'}
          </span>{' '}
          <span class="muted small" title={instantWords(expiresAt)}>
            {expiryWords(token, now)} · <code>{secret}</code> · as {token.role.name} ·{' '}
            {counted(token.users.length, 'user')}
          </span>
        </div>
        <QuietButton
          disabled={isOver}
          aria-label={`Expire now: ${name}`}
          onClick={() => update({ expiresAt: new Date(now.getTime() - 1000).toISOString() })}
        >
          Expire now
        </QuietButton>
        <QuietButton aria-label={`+7 days: ${name}`} onClick={() => update({ expiresAt: later })}>
          +7 days
        </QuietButton>
        <Switch isOn={enabled} label={`${name} is enabled`} onSwitch={() => update({ enabled: !enabled })} />
      </div>
      {refusal}
    </>
  )
}

/** The form for a new token, valid for some days. */
function NewSignupToken({ panel, now }: Omit<SignupTokenProps, 'token'>) {
  const { operate, refusal } = useOperations(panel)
  const create = async ({ name = '', days = '' }: Record<string, string>, form: HTMLFormElement) => {
    const expiresAt = new Date(now.getTime() + Number(days) * DAY).toISOString()
    if (await operate('POST', path, { name, expiresAt })) form.reset()
  }
  return (
    <>
      <form class="line" aria-label="New signup token" onSubmit={onSubmit(create)}>
        <Field name="name" label="New signup token" required placeholder="name" />
        <Field name="days" label="Days" class="short" type="number" min="1" max="31" required defaultValue="30" />
        <button type="submit">Create</button>
      </form>
      {refusal}
    </>
  )
}
