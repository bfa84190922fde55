import * as z from 'zod'
import type { Duration } from '../../support/calendar.js'
import type { SetClockOptions } from '../../support/clock.js'
import { isObject, show } from '../../support/json.js'
import { MockError } from '../errors/mock-errors.js'
import type { World } from '../sessions/world.js'
import { lengthOf, momentOf } from './titles.js'

/** The state of a clock. */
export interface ClockState {
  now: string
  frozen: boolean
}

/** The length of time in a control call. */
export const durationSchema = z
  .strictObject({
    ms: z.number().optional(),
    seconds: z.number().optional(),
    minutes: z.number().optional(),
    hours: z.number().optional(),
    days: z.number().optional(),
  })
  .refine((parts) => Object.keys(parts).length > 0, { error: 'must contain ms, seconds, minutes, hours or days' })

const lengthSchema = z.union([z.number(), durationSchema])

const setOptionsSchema = z.strictObject({ frozen: z.boolean().optional() })

export function clockState({ clock }: World): ClockState {
  return { now: clock.now().toISOString(), frozen: clock.frozen }
}

/** Sets a world's clock, as a step of the history. Throws `INVALID_CLOCK`. */
export function setClock(world: World, date: Date | string | number, options: SetClockOptions = {}): void {
  moveClock(world, `The clock was set to ${momentOf(date)}`, () => {
    checkSetOptions(options)
    world.clock.set(date, options)
  })
}

/** Advances a world's clock, as `setClock` does. */
export function advanceClock(world: World, duration: Duration): void {
  moveClock(world, `The clock was advanced by ${lengthOf(duration)}`, () => {
    checkLength(duration)
    world.clock.advance(duration)
  })
}

/** Returns a world's clock to real time, as `setClock` does. */
export function releaseClock(world: World): void {
  moveClock(world, 'The clock was returned to real time', () => world.clock.release())
}

function moveClock(world: World, title: string, move: () => void): void {
  try {
    world.set({ what: 'clock', title }, 'clock', move)
  } catch (error) {
    const reason = error instanceof RangeError ? error.message : String(error)
    throw new MockError(
      'INVALID_CLOCK',
      reason,
      'Set it to a date, or advance it by { days, hours, minutes, seconds, ms }.',
    )
  }
}

/** Throws a `RangeError` for anything but `{ frozen?: boolean }`. */
function checkSetOptions(given: unknown): void {
  if (!setOptionsSchema.safeParse(given).success) throw new RangeError('The options are { frozen: true or false }.')
}

/** Throws a `RangeError` for anything but a length of time. */
function checkLength(given: unknown): void {
  if (!lengthSchema.safeParse(given).success) throw new RangeError(whyNoLength(given))
}

function whyNoLength(given: unknown): string {
  const units = Object.keys(durationSchema.shape)
  const unknown = isObject(given) ? Object.keys(given).find((key) => !units.includes(key)) : undefined
  if (unknown !== undefined) return `There is no unit "${unknown}"; use ${units.toReversed().join(', ')}.`
  return `${show(given)} is not a duration; expected milliseconds or an object such as { days: 1 }.`
}
