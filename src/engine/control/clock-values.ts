import * as z from 'zod'
import { isObject, show } from '../../support/json.js'

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

/** Throws a `RangeError` for anything but `{ frozen?: boolean }`. */
export function checkSetOptions(given: unknown): void {
  if (!setOptionsSchema.safeParse(given).success) throw new RangeError('The options are { frozen: true or false }.')
}

/** Throws a `RangeError` for anything but a length of time. */
export function checkLength(given: unknown): void {
  if (!lengthSchema.safeParse(given).success) throw new RangeError(whyNoLength(given))
}

function whyNoLength(given: unknown): string {
  const units = Object.keys(durationSchema.shape)
  const unknown = isObject(given) ? Object.keys(given).find((key) => !units.includes(key)) : undefined
  if (unknown !== undefined) return `There is no unit "${unknown}"; use ${units.toReversed().join(', ')}.`
  return `${show(given)} is not a duration; expected milliseconds or an object such as { days: 1 }.`
}
