import * as z from 'zod'
import { intoCalendar, isInCalendar } from '../../../support/calendar.js'
import { textsIn } from '../../../support/text.js'
import { HIGHEST_ID } from '../../store/collection.js'
import { object, strictObject } from './object.js'

/** An instant as stored and returned: UTC with milliseconds. */
export const instantSchema = z.iso.datetime({ precision: 3 }).meta({ description: 'UTC, with milliseconds' })

/** The maximum texts of a search. */
export const TEXTS_SEARCHED = 100

/** A search for any of several comma-separated texts. */
export const searchSchema = z
  .string()
  .refine((query) => textsIn(query).length <= TEXTS_SEARCHED, `must not have more than ${TEXTS_SEARCHED} texts`)

/** An instant in a request: with `Z` or an offset. The date must exist. */
export const sentInstantSchema = z.iso
  .datetime({
    offset: true,
    abort: true,
    error: 'must be an ISO 8601 date-time with a zone or an offset, such as "2027-01-31T12:00:00Z"',
  })
  .refine((text) => !/^(0000|9999)/.test(text) || !isOutside(Date.parse(text)), {
    error: 'must lie between the years 0000 and 9999 in UTC',
  })

/** In the first and the last year, an offset can move an instant beyond the four-digit years of ISO 8601. */
function isOutside(epoch: number): boolean {
  return !Number.isNaN(epoch) && !isInCalendar(epoch)
}

/** An instant in the stored form, like all instants of a snapshot. */
const STORED_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** The last converted instant. A request writes the same instant into a record and all its events. */
const last = { epoch: Number.NaN, text: '' }

/** Converts an instant to the stored form. */
export function toInstant(given: Date | string | number): string {
  if (typeof given === 'string' && STORED_INSTANT.test(given)) return given
  const date = new Date(given)
  if (date.getTime() !== last.epoch) {
    last.text = date.toISOString()
    last.epoch = date.getTime()
  }
  return last.text
}

/** The ID of a record. */
export const idSchema = z.int().max(HIGHEST_ID)

/** A shape with its name in the OpenAPI document. */
export function named<Shape extends z.ZodRawShape>(id: string, fields: () => Shape) {
  return object(fields).register(z.globalRegistry, { id })
}

/** A named shape that rejects unknown fields. */
export function namedStrict<Shape extends z.ZodRawShape>(id: string, fields: () => Shape) {
  return strictObject(fields).register(z.globalRegistry, { id })
}

/** The shape of a response with a version. */
export function versioned<Shape extends z.ZodRawShape>(id: string, fields: () => Shape) {
  return named(id, () => ({ version: z.literal(1), ...fields() }))
}

/**
 * A text with a rule beyond its type: `faultOf` returns its error, or undefined. The issue is marked as a rule, because
 * some profiles leave rules to the operation.
 */
export function ruledText(faultOf: (text: string) => string | undefined) {
  return z.string().check(({ value, issues }) => {
    const message = faultOf(value)
    if (message !== undefined) issues.push({ code: 'custom', message, input: value, params: { rule: true } })
  })
}

/** A name alone, for validation. */
export const nameSchema = namedStrict('nameSchema', () => ({ name: z.string() }))

const RELATIVE_INSTANT = /^now(?:([+-])(\d+)(ms|s|m|h|d))?$/
const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** A date-time such as `2026-11-20T12:00:00Z`, or one relative to the start of the world: `now+30d`, `now-2h`. */
// Not just `string`, so that editors show this name.
export type GivenInstant = string & {}

/** An instant in a fixture. */
export const fixtureInstantSchema: z.ZodType<string, GivenInstant> = z.union(
  // Without `abort`, the error would be the one of the relative form alone.
  [z.string().regex(RELATIVE_INSTANT, { abort: true }), sentInstantSchema],
  {
    error:
      'must be an ISO 8601 date-time with a zone or an offset, such as "2027-01-31T12:00:00Z", or relative to the start, such as "now+30d" or "now-2h"',
  },
)

/** Converts an instant from a fixture to the stored form. */
export function fixtureInstant(given: string, now: Date): string {
  const relative = RELATIVE_INSTANT.exec(given)
  if (relative === null) return toInstant(given)
  const [, sign, amount = '0', unit = 'ms'] = relative
  const distance = Number(amount) * UNITS[unit as keyof typeof UNITS]
  return toInstant(intoCalendar(now.getTime() + (sign === '-' ? -distance : distance)))
}
