import { useEffect, useState } from 'preact/hooks'
import { Button, onSubmit, type PartProps, QuietButton } from './controls.js'
import { expiryWords } from './invites.js'
import { type ClockReading, clockOffset, worldTime } from './panel-state.js'
import { instantWords, offsetWords } from './words.js'

/** The time on the world's clock, updated each second, and how far it is off. */
export function ClockFace({ clock }: { clock: ClockReading }) {
  useSeconds()
  const offset = clockOffset(clock)
  return (
    <span class="line">
      <time dateTime={worldTime(clock).toISOString()}>{instantWords(worldTime(clock))}</time>
      <span class={clock.frozen || offset !== 0 ? 'pill warn' : 'pill ok'}>
        {clock.frozen ? 'frozen' : 'running'}
        {offset === 0 ? '' : ` · ${offsetWords(offset)}`}
      </span>
    </span>
  )
}

/** Renders a part again each second. */
function useSeconds(): void {
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 1000)
    return () => clearInterval(timer)
  }, [])
}

const steps = [
  { words: '1 hour', duration: { hours: 1 } },
  { words: '1 day', duration: { days: 1 } },
  { words: '1 week', duration: { days: 7 } },
]

/** The world's clock, with controls to set, freeze and advance it. What has no effect is disabled, so nothing moves. */
export function Clock({ panel, state }: PartProps) {
  const { clock } = state
  if (clock === undefined) return <p class="empty">Loading the clock …</p>
  const isReal = !clock.frozen && clockOffset(clock) === 0
  return (
    <>
      <p class="big">
        <ClockFace clock={clock} />
      </p>
      <div class="line">
        {steps.map(({ words, duration }) => (
          <Button key={words} onClick={() => panel.advanceClock(duration)}>
            Advance {words}
          </Button>
        ))}
        <Button class="steady" onClick={() => panel.setClock(worldTime(clock).toISOString(), !clock.frozen)}>
          {clock.frozen ? 'Run on from here' : 'Freeze now'}
        </Button>
        <Button disabled={isReal} onClick={() => panel.releaseClock()}>
          Back to real time
        </Button>
      </div>
      <SetClock panel={panel} clock={clock} />
      <h3>Jump past the expiry of an invite</h3>
      <Jumps panel={panel} state={state} />
    </>
  )
}

/** Sets the clock to a date. The field starts with the clock's time and then keeps what the user enters. */
function SetClock({ panel, clock }: Pick<PartProps, 'panel'> & { clock: ClockReading }) {
  const [now, setNow] = useState(worldTime(clock).toISOString().slice(0, 19))
  return (
    <form class="line" onSubmit={onSubmit(() => panel.setClock(`${now}Z`))}>
      <label class="field">
        <span class="label">Set to (UTC)</span>
        <input
          type="datetime-local"
          step="1"
          required
          value={now}
          onInput={({ currentTarget }) => setNow(currentTarget.value)}
        />
      </label>
      <button type="submit">Set and freeze</button>
    </form>
  )
}

/** Milliseconds past the expiry to jump to, so that there is no doubt. */
const JUST_PAST = 1000

function Jumps({ panel, state: { data, clock } }: PartProps) {
  useSeconds()
  if (data === undefined || clock === undefined) return <p class="empty">Loading the invites …</p>
  if (data.signupTokens.length === 0) return <p class="empty">No signup tokens.</p>
  const now = worldTime(clock)
  return (
    <ul class="stack">
      {data.signupTokens.map((token) => (
        <li key={token.secret} class="card">
          <div class="line ends">
            <h4>{token.name}</h4>
            <span class="muted">
              {expiryWords(token, now)} ({instantWords(token.expiresAt)})
            </span>
            <QuietButton
              aria-label={`Jump just past expiry: ${token.name}`}
              onClick={() => panel.setClock(new Date(Date.parse(token.expiresAt) + JUST_PAST).toISOString())}
            >
              Jump just past expiry
            </QuietButton>
          </div>
        </li>
      ))}
    </ul>
  )
}
