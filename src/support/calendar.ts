/** Unleash writes years with four digits. */
const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z')
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/** Whether Unleash can write this date (milliseconds since 1970). */
export function isInCalendar(epoch: number): boolean {
  return epoch >= EARLIEST && epoch <= LATEST
}

/** The nearest date that Unleash can write. */
export function intoCalendar(epoch: number): number {
  return Math.min(Math.max(epoch, EARLIEST), LATEST)
}

const ISO_DATE = /^(\d{4}-\d\d-\d\d)(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)?)?$/i

/**
 * Reads a date, or an ISO 8601 text with or without a time. Returns milliseconds since 1970, or undefined for an invalid
 * date or one outside the years 0000 to 9999.
 */
export function readInstant(given: Date | string | number): number | undefined {
  if (typeof given === 'string' && !isDate(given)) return undefined
  const instant = new Date(typeof given === 'string' ? given.toUpperCase() : given).getTime()
  return isInCalendar(instant) ? instant : undefined
}

function isDate(text: string): boolean {
  const [, day] = ISO_DATE.exec(text) ?? []
  return day !== undefined && isDay(day)
}

/** Whether a day such as `2030-02-28` exists. `Date` reads 30 February as 2 March, so the text must survive a round trip. */
export function isDay(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day)
}

/** A sum of units of time. */
export interface DurationParts {
  ms?: number | undefined
  seconds?: number | undefined
  minutes?: number | undefined
  hours?: number | undefined
  days?: number | undefined
}

/** A length of time: milliseconds, or a sum of units. */
export type Duration = number | DurationParts

// Units of time, in milliseconds.
const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export function toMilliseconds(duration: Duration): number {
  if (typeof duration === 'number') return duration
  const { ms = 0, seconds = 0, minutes = 0, hours = 0, days = 0 } = duration
  return ms + seconds * SECOND + minutes * MINUTE + hours * HOUR + days * DAY
}

export function isPast(instant: string, now: Date): boolean {
  return Date.parse(instant) <= now.getTime()
}
