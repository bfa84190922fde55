/** A length of time: milliseconds, or its parts, which are added up. */
export type Duration =
  | number
  | {
      ms?: number | undefined
      seconds?: number | undefined
      minutes?: number | undefined
      hours?: number | undefined
      days?: number | undefined
    }

const SECOND = 1000
const MINUTE = 60 * SECOND
/** Milliseconds of an hour. */
export const HOUR = 60 * MINUTE
/** Milliseconds of a day. */
export const DAY = 24 * HOUR

/** The milliseconds of a duration. */
export function toMilliseconds(duration: Duration): number {
  if (typeof duration === 'number') return duration
  const { ms = 0, seconds = 0, minutes = 0, hours = 0, days = 0 } = duration
  return ms + seconds * SECOND + minutes * MINUTE + hours * HOUR + days * DAY
}
