import { useState } from 'hono/jsx/dom'
import { ClockFace } from './clock-face.js'
import type { Panel } from './panel.js'
import { type ClockReading, clockOffset, worldTime } from './panel-state.js'
import type { PartProps } from './part.js'
import { Tokens } from './tokens.js'

const steps = [
  { words: '1 hour', duration: { hours: 1 } },
  { words: '1 day', duration: { days: 1 } },
  { words: '1 week', duration: { days: 7 } },
]

/** The world's clock, with controls to set, freeze and advance it. */
export function Clock({ panel, state }: PartProps) {
  const { clock } = state
  if (clock === undefined) return <p class="empty">Loading the clock …</p>
  return (
    <>
      <p class="big">
        <ClockFace clock={clock} />
      </p>
      <div class="row">
        {(clock.frozen || clockOffset(clock) !== 0) && (
          <button type="button" onClick={() => panel.releaseClock()}>
            Back to real time
          </button>
        )}
        <button type="button" onClick={() => panel.setClock(worldTime(clock).toISOString(), !clock.frozen)}>
          {clock.frozen ? 'Run on from here' : 'Freeze now'}
        </button>
        {steps.map(({ words, duration }) => (
          <button key={words} type="button" onClick={() => panel.advanceClock(duration)}>
            Advance {words}
          </button>
        ))}
      </div>
      <SetClock panel={panel} clock={clock} />
      <h3>Jump past a signup token's expiry</h3>
      <Tokens panel={panel} state={state} />
    </>
  )
}

/** Sets the clock to a date. The field starts with the clock's time and then keeps what the user enters. */
function SetClock({ panel, clock }: { panel: Panel; clock: ClockReading }) {
  const [initial] = useState(worldTime(clock).toISOString().slice(0, 19))
  const set = (event: Event) => {
    event.preventDefault()
    const given = new FormData(event.target as HTMLFormElement).get('now')
    void panel.setClock(`${given}Z`)
  }
  return (
    <form class="row" onSubmit={set}>
      <label class="field">
        <span class="label">Set to (UTC)</span>
        <input type="datetime-local" name="now" step="1" required value={initial} />
      </label>
      <button type="submit">Set and freeze</button>
    </form>
  )
}
