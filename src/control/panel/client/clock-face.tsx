import { useEffect, useState } from 'hono/jsx/dom'
import { type ClockReading, clockOffset, worldTime } from './panel-state.js'
import { instantWords, offsetWords } from './words.js'

/** The time on the world's clock, updated each second, and how far it is off. */
export function ClockFace({ clock }: { clock: ClockReading }) {
  useSeconds()
  const offset = clockOffset(clock)
  return (
    <span class="clock-face">
      <time dateTime={worldTime(clock).toISOString()}>{instantWords(worldTime(clock))}</time>
      <span class={clock.frozen || offset !== 0 ? 'tag warn' : 'tag ok'}>
        {clock.frozen ? 'frozen' : 'running'}
        {offset === 0 ? '' : ` · ${offsetWords(offset)}`}
      </span>
    </span>
  )
}

/** Renders a part again each second. */
export function useSeconds(): void {
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 1000)
    return () => clearInterval(timer)
  }, [])
}
