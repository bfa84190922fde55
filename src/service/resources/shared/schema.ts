import * as z from 'zod'
import { intoCalendar, isInCalendar } from '../../../support/calendar.js'
import { textsIn } from '../../../support/text.js'

/** An instant as it is stored and returned: UTC with milliseconds. */
export const instantSchema = z.iso.datetime({ precision: 3 }).meta({ description: 'UTC, with milliseconds' })

/** Texts that a search may look for. */
export const TEXTS_SEARCHED = 100

/** A search for any of some texts, which commas separate. */
export const searchSchema = z
  .string()
  .refine((query) => textsIn(query).length <= TEXTS_SEARCHED, `must not have more than ${TEXTS_SEARCHED} texts`)

/** An instant as a client may send it: with `Z` or an offset. The calendar is checked. */
export const sentInstantSchema = z.iso
  .datetime({
    offset: true,
    error: 'must be an ISO 8601 date-time with a zone or an offset, such as "2027-01-31T12:00:00Z"',
  })
  .refine((text) => !/^(0000|9999)/.test(text) || !isOutside(Date.parse(text)), {
    error: 'must lie between the years 0000 and 9999 in UTC',
  })

/** In the first and the last year, an offset can move an instant beyond the four-digit years of ISO 8601. */
function isOutside(epoch: number): boolean {
  return !Number.isNaN(epoch) && !isInCalendar(epoch)
}

/** An instant that is in the stored form already, as all those of a snapshot are. */
const STORED_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** The last instant that was converted. A request writes its own into a record and all its events. */
const last = { epoch: Number.NaN, text: '' }

/** Converts an instant to the stored form. V8 takes a microsecond to format one, so the last one is remembered. */
export function toInstant(given: Date | string | number): string {
  if (typeof given === 'string' && STORED_INSTANT.test(given)) return given
  const date = new Date(given)
  if (date.getTime() !== last.epoch) {
    last.text = date.toISOString()
    last.epoch = date.getTime()
  }
  return last.text
}

/** The highest id: beyond it, two numbers may be the same. */
export const HIGHEST_ID = 2 ** 52

/** The number of a record. */
export const idSchema = z.int().max(HIGHEST_ID)

/** A user in brief, as features show their creator. */
export const actorSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    imageUrl: z.string(),
  })
  .meta({ id: 'actorSchema', description: 'A user in brief' })

export type Actor = z.infer<typeof actorSchema>

/** A shape under its name in the OpenAPI document. */
export function named<Shape extends z.ZodRawShape>(id: string, shape: Shape) {
  return z.object(shape).meta({ id })
}

/** The same, with no room for further fields. */
export function namedStrict<Shape extends z.ZodRawShape>(id: string, shape: Shape) {
  return z.strictObject(shape).meta({ id })
}

/** The shape of an answer that says its version. */
export function versioned<Shape extends z.ZodRawShape>(id: string, shape: Shape) {
  return named(id, { version: z.literal(1), ...shape })
}

/** The shape with no room, however deep, for fields that it doesn't know: in given state they are typos. */
export function strictly<Schema extends z.core.$ZodType>(schema: Schema): Schema
export function strictly(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodArray) return z.array(strictly(schema.def.element))
  if (schema instanceof z.ZodDiscriminatedUnion)
    return schema.clone({ ...schema.def, options: schema.options.map((option) => strictly(option)) })
  if (!(schema instanceof z.ZodObject)) return schema
  return z.strictObject(
    Object.fromEntries(Object.entries(schema.shape).map(([name, field]) => [name, strictly(field)])),
  )
}

/** Any text, where editors complete the known ones. */
export function openEnum<Known extends string>(): z.ZodType<string, Known | (string & {})> {
  return z.string()
}

/**
 * A text under a rule that goes beyond its type: `faultOf` returns what is wrong with it, or undefined. The issue is
 * marked as a rule, because some profiles leave rules to the operation.
 */
export function ruledText(faultOf: (text: string) => string | undefined) {
  return z.string().check(({ value, issues }) => {
    const message = faultOf(value)
    if (message !== undefined) issues.push({ code: 'custom', message, input: value, params: { rule: true } })
  })
}

/** A name alone, sent to be validated. */
export const nameSchema = namedStrict('nameSchema', { name: z.string() })

const RELATIVE_INSTANT = /^now(?:([+-])(\d+)(ms|s|m|h|d))?$/
const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** A date-time such as `2026-11-20T12:00:00Z`, or one relative to the start of the world: `now+30d`, `now-2h`. */
// Not just `string`, so that editors show this name.
export type GivenInstant = string & {}

/** An instant in a fixture. */
export const fixtureInstantSchema: z.ZodType<string, GivenInstant> = z.union(
  [z.string().regex(RELATIVE_INSTANT), sentInstantSchema],
  {
    error:
      'must be an ISO 8601 date-time with a zone or an offset, or relative to the start, such as "now+30d" or "now-2h"',
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
