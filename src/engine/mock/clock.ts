import type { Duration } from '../../support/calendar.js'
import type { SetClockOptions } from '../../support/clock.js'
import { withCallerStacks } from '../errors/arguments.js'
import { advanceClock, releaseClock, setClock } from '../sessions/actions.js'
import type { World } from '../sessions/world.js'

/** The clock of the session's current world. */
export interface MockClock {
  /** The current time. Each call returns a new `Date`. */
  now(): Date
  /**
   * Stops the clock at a date, or, with `{ frozen: false }`, runs it from there. A text is an ISO 8601 date, with or
   * without a time. Throws `INVALID_CLOCK` for a date that doesn't exist.
   */
  set(date: Date | string | number, options?: SetClockOptions): void
  /** Moves the clock by milliseconds or `{ days, hours, minutes, seconds, ms }`. Negative values move it back. */
  advance(duration: Duration): void
  /** Returns to real time. */
  release(): void
  /** Whether the clock stands still. */
  readonly frozen: boolean
}

export function createMockClock(world: () => World): MockClock {
  const moves = withCallerStacks<Omit<MockClock, 'frozen'>>({
    now: () => world().clock.now(),
    set: (date, options) => setClock(world(), date, options),
    advance: (duration) => {
      if (looksLikeDays(duration)) {
        // biome-ignore lint/suspicious/noConsole: the move is allowed, but rarely meant
        console.warn(
          `[flagdouble] The clock advances by ${duration} ms. Write advance({ days: ${duration} }) for days.`,
        )
      }
      advanceClock(world(), duration)
    },
    release: () => releaseClock(world()),
  })
  return Object.assign(new Reading(world), moves)
}

/** Whether a number of milliseconds is so small that it probably means days, hours or minutes. */
function looksLikeDays(duration: unknown): boolean {
  return typeof duration === 'number' && Number.isInteger(duration) && duration > 0 && duration <= 60
}

/**
 * A class, because V8 keeps the getter of an object literal, and with it the whole mock, until a full collection: 3,000
 * mocks then take up to 82 MB instead of 34.
 */
class Reading implements Pick<MockClock, 'frozen'> {
  readonly #world: () => World

  constructor(world: () => World) {
    this.#world = world
  }

  get frozen(): boolean {
    return this.#world().clock.frozen
  }
}
