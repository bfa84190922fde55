import { isInCalendar } from './calendar.js'
import { type Duration, toMilliseconds } from './duration.js'

/** The time of one world. It can be set, advanced and released; nothing in the world reads any other time. */
export interface Clock {
  /** The time in this world. */
  now(): Date
  /** The same, as milliseconds since 1970. */
  epoch(): number
  /** Stops the clock at a date. Throws a `RangeError` for what is not a date of the years 0000 to 9999. */
  set(date: Date | string | number): void
  /** Moves the clock, forwards or (negative) backwards; a frozen clock stays frozen, a running one goes on running. */
  advance(duration: Duration): void
  /** Back to the real time. */
  release(): void
  /** Whether the clock stands still. */
  readonly frozen: boolean
}

/** A clock; given a start it stands still there, else it runs with the real time. */
export function createClock(start?: Date): Clock {
  let frozenAt = start?.getTime()
  let offset = 0
  const epoch = () => frozenAt ?? Date.now() + offset
  return {
    now: () => new Date(epoch()),
    epoch,
    set(date) {
      frozenAt = toInstant(date)
    },
    advance(duration) {
      const ms = toMilliseconds(duration)
      if (!isInCalendar(epoch() + ms)) {
        throw new RangeError(`By ${ms} ms the clock would leave the years 0000 to 9999.`)
      }
      if (frozenAt === undefined) offset += ms
      else frozenAt += ms
    },
    release() {
      frozenAt = undefined
      offset = 0
    },
    get frozen() {
      return frozenAt !== undefined
    },
  }
}

function toInstant(date: Date | string | number): number {
  const instant = new Date(date).getTime()
  if (Number.isNaN(instant)) {
    throw new RangeError(`"${String(date)}" is not a date; expected one such as "2026-11-20T12:00:00Z".`)
  }
  if (!isInCalendar(instant)) throw new RangeError(`"${String(date)}" does not lie in the years 0000 to 9999.`)
  return instant
}

/** Measures real time: the milliseconds since it was started, whatever the clock of the world says. */
export function startStopwatch(): () => number {
  const started = performance.now()
  return () => performance.now() - started
}

/** Resolves after so many real milliseconds; rejects with the signal's reason when it is aborted before. */
export function sleep(ms: number, signal?: AbortSignal): Promise<undefined> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const timer = setTimeout(done, ms)
    function done() {
      signal?.removeEventListener('abort', stop)
      resolve(undefined)
    }
    function stop() {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', stop, { once: true })
  })
}
