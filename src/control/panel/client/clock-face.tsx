import { useEffect, useState } from 'hono/jsx/dom'
import { type ClockReading, worldTime } from './panel-state.js'
import { instantWords } from './words.js'

/** The time on the world's clock, updated each second. */
export function ClockFace({ clock }: { clock: ClockReading }) {
  useSeconds()
  return (
    <span class="clock-face">
      <time dateTime={worldTime(clock).toISOString()}>{instantWords(worldTime(clock))}</time>
      <span class={clock.frozen ? 'tag' : 'tag ok'}>{clock.frozen ? 'frozen' : 'running'}</span>
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
