import { type Duration, intoCalendar, isInCalendar, readInstant, toMilliseconds } from './calendar.js'
import { show } from './json.js'

export interface SetClockOptions {
  /** Whether the clock stops at the date. If not, it runs on from there. Default: true. */
  frozen?: boolean | undefined
}

/** The position of a clock: the instant at which it is frozen, or its distance from real time, in milliseconds. */
export type ClockPosition = { frozenAt: number } | { offset: number }

/** Creates a clock: frozen at the start date if one is given, otherwise running in real time. */
export function createClock(start?: Date): Clock {
  return new Clock(start === undefined ? { offset: 0 } : { frozenAt: start.getTime() })
}

/** The clock of one world. It can be set, advanced and released; the world reads no other time. */
export class Clock {
  #frozenAt: number | undefined
  #offset = 0

  constructor(position: ClockPosition) {
    this.goTo(position)
  }

  goTo(position: ClockPosition): void {
    this.#frozenAt = 'frozenAt' in position ? position.frozenAt : undefined
    this.#offset = 'offset' in position ? position.offset : 0
  }

  /** The time in this world. */
  now(): Date {
    return new Date(this.epoch())
  }

  /** The time in milliseconds since 1970. */
  epoch(): number {
    return this.#frozenAt ?? intoCalendar(Date.now() + this.#offset)
  }

  /** Sets the clock to a date. Throws a `RangeError` for anything but a date in the years 0000 to 9999. */
  set(date: Date | string | number, { frozen = true }: SetClockOptions = {}): void {
    const instant = epochOf(date)
    this.#frozenAt = frozen ? instant : undefined
    this.#offset = frozen ? 0 : instant - Date.now()
  }

  /** Moves the clock forwards or (negative) backwards. A frozen clock stays frozen, a running one keeps running. */
  advance(duration: Duration): void {
    const ms = toMilliseconds(duration)
    if (!isInCalendar(this.epoch() + ms)) {
      throw new RangeError(`Advanced by ${ms} ms, the clock would leave the years 0000 to 9999.`)
    }
    if (this.#frozenAt === undefined) this.#offset += ms
    else this.#frozenAt += ms
  }

  /** Goes back to real time. */
  release(): void {
    this.#frozenAt = undefined
    this.#offset = 0
  }

  get frozen(): boolean {
    return this.#frozenAt !== undefined
  }

  position(): ClockPosition {
    return this.#frozenAt === undefined ? { offset: this.#offset } : { frozenAt: this.#frozenAt }
  }
}

function epochOf(date: Date | string | number): number {
  const instant = readInstant(date)
  if (instant === undefined) {
    throw new RangeError(
      `${show(date)} is not a date of the years 0000 to 9999; expected one such as "2026-11-20T12:00:00Z".`,
    )
  }
  return instant
}

/** The real time, in milliseconds since 1970. */
export function realTime(): number {
  return Date.now()
}

/** Starts measuring real time. Returns a function that gives the elapsed milliseconds. */
export function startStopwatch(): () => number {
  const started = performance.now()
  return () => performance.now() - started
}

/** The maximum delay of timers; a longer delay fires at once. */
const LONGEST_TIMEOUT = 2 ** 31 - 1

/** Resolves after a number of real milliseconds, 24 days at most; rejects with the signal's reason if it aborts first. */
export function sleep(ms: number, signal?: AbortSignal): Promise<undefined> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const timer = setTimeout(done, Math.min(ms, LONGEST_TIMEOUT))
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

/** The timers at the time when this module is loaded: a test's fake timers don't make it wait less or for ever. */
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis

/** The promise's value, or undefined if it takes longer than a number of real milliseconds. */
export async function within<Value>(ms: number, promise: Promise<Value>): Promise<Value | undefined> {
  let timer: ReturnType<typeof startTimer> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = startTimer(resolve, ms, undefined)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    stopTimer(timer)
  }
}

/** Rejects with the reason of a request's signal when it aborts. A request that waits doesn't keep the process alive. */
export function untilAborted(request: Request): Promise<never> {
  return new Promise((_, reject) => {
    const { signal } = request
    if (signal.aborted) return reject(signal.reason)
    // Node collects a request that nothing refers to, and then its signal never aborts. The timer refers to it.
    const timer = startTimer(() => request, LONGEST_TIMEOUT)
    unref(timer)
    const giveUp = () => {
      stopTimer(timer)
      reject(signal.reason)
    }
    signal.addEventListener('abort', giveUp, { once: true })
  })
}

/** Lets a process of Node end before the timer. */
function unref(timer: number | { unref(): void }): void {
  if (typeof timer === 'object') timer.unref()
}
