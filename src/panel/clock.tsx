import { useEffect, useState } from 'preact/hooks'
import { isPast } from '../support/calendar.js'
import { Button, Field, Item, onSubmit, type PartProps } from './controls.js'
import { type ClockReading, clockOffset, isReal, worldTime } from './panel-state.js'
import { instantWords, offsetSign, offsetWords, relativeWords } from './words.js'

/** The time on the clock, updated each second, and its offset; in a small space, only the offset. */
export function ClockFace({ clock, isBrief }: { clock: ClockReading; isBrief: boolean }) {
  useSeconds()
  if (isReal(clock)) return <span>in real time</span>
  const offset = clockOffset(clock)
  const state = [...(clock.frozen ? ['frozen'] : []), ...(offset === 0 ? [] : [offsetWords(offset)])].join(' · ')
  if (isBrief) return <span class="pill warn">{offset === 0 ? state : offsetSign(offset)}</span>
  return (
    <span class="line">
      <span class="muted">at</span>{' '}
      <time dateTime={worldTime(clock).toISOString()}>{instantWords(worldTime(clock))}</time>
      <span class="pill warn">{state}</span>
    </span>
  )
}

/** Rerenders a part each second. */
function useSeconds(): void {
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 1000)
    return () => clearInterval(timer)
  }, [])
}

const steps = [
  { words: 'An hour ahead', duration: { hours: 1 } },
  { words: 'A day ahead', duration: { days: 1 } },
  { words: 'A week ahead', duration: { days: 7 } },
  { words: 'A month ahead', duration: { days: 31 } },
]

/** The clock, with controls to set, freeze and advance it. */
export function Clock({ panel, state: { clock, data } }: PartProps) {
  useSeconds()
  if (clock === undefined || data === undefined) return <p class="empty">Connecting …</p>
  const now = worldTime(clock)
  const coming = data.signupTokens
    .filter(({ expiresAt }) => !isPast(expiresAt, now))
    .toSorted((one, other) => Date.parse(one.expiresAt) - Date.parse(other.expiresAt))
  return (
    <>
      <h2>
        <time dateTime={now.toISOString()}>{instantWords(now)}</time>
      </h2>
      <p class="muted small">
        {isReal(clock) ? 'Real time' : clock.frozen ? 'The clock is frozen' : 'The clock is running'}
        {clockOffset(clock) === 0 ? '.' : `, ${offsetWords(clockOffset(clock))}.`}
      </p>
      <div class="stack">
        {coming.map(({ secret, name, expiresAt }) => (
          <Item key={secret} onClick={() => panel.act('PUT', 'clock', { now: Date.parse(expiresAt) + JUST_PAST })}>
            <span class="grow">Jump past the expiry of {name}</span>
            <span class="muted small">{relativeWords(Date.parse(expiresAt) - now.getTime())}</span>
          </Item>
        ))}
      </div>
      <div class="line">
        {steps.map(({ words, duration }) => (
          <Button key={words} class="quiet" onClick={() => panel.act('POST', 'clock/advance', duration)}>
            {words}
          </Button>
        ))}
      </div>
      <SetClock panel={panel} clock={clock} />
      <div class="line">
        <Button class="quiet" onClick={() => panel.act('PUT', 'clock', { now, frozen: !clock.frozen })}>
          {clock.frozen ? 'Run from here' : 'Freeze now'}
        </Button>
        <Button class="quiet" disabled={isReal(clock)} onClick={() => panel.act('DELETE', 'clock')}>
          Real time
        </Button>
      </div>
    </>
  )
}

/** The milliseconds past the expiry to jump to, to be safely after it. */
const JUST_PAST = 1000

/** Sets the clock to a date. The field starts with the clock's time, and then keeps the user's input. */
function SetClock({ panel, clock }: Pick<PartProps, 'panel'> & { clock: ClockReading }) {
  const [start] = useState(worldTime(clock).toISOString().slice(0, 19))
  const label = 'A date (UTC)'
  return (
    <form class="line" onSubmit={onSubmit(({ now }) => panel.act('PUT', 'clock', { now: `${now}Z` }))}>
      <Field type="datetime-local" name="now" label={label} class="grow" step="1" required defaultValue={start} />
      <button type="submit">Set and freeze</button>
    </form>
  )
}
