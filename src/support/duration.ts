/** Units of time to add up. */
interface DurationParts {
  ms?: number | undefined
  seconds?: number | undefined
  minutes?: number | undefined
  hours?: number | undefined
  days?: number | undefined
}

/** A length of time: milliseconds, or units to add up. */
export type Duration = number | DurationParts

const SECOND = 1000
/** A minute in milliseconds. */
export const MINUTE = 60 * SECOND
/** An hour in milliseconds. */
export const HOUR = 60 * MINUTE
/** A day in milliseconds. */
export const DAY = 24 * HOUR

/** A duration in milliseconds. */
export function toMilliseconds(duration: Duration): number {
  if (typeof duration === 'number') return duration
  const { ms = 0, seconds = 0, minutes = 0, hours = 0, days = 0 } = duration
  return ms + seconds * SECOND + minutes * MINUTE + hours * HOUR + days * DAY
}
