import * as z from 'zod'
import { DEEPEST, isObject } from './json.js'

/** Why a value does not have the shape of a schema. */
interface Misfit {
  success: false
  issues: readonly z.core.$ZodIssue[]
  /** Whether these are all issues. Of a large value only the first ones are found. */
  complete: boolean
}

/** Values inside a value up to which all issues are found. */
const MOST_VALUES = 10_000

/** Zod's `validate` sets this, and says only yes or no. */
const stopping: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: true }

/** Issues that are kept of a large value. */
const MOST_ISSUES = 100

/** Elements of each list that are checked first. */
const SAMPLE = 10

/** Levels of lists and objects inside each other of which only the beginning is checked first. */
const LEVELS_SAMPLED = 5

/**
 * Checks a value that may be very large: first the beginning of each list, then everything, up to the first list element
 * that doesn't fit. To describe an issue costs much more than to read the value that it is about. Issues that don't count
 * are left out, so a misfit may have none.
 */
export function parseLarge<Output>(
  schema: z.ZodType<Output>,
  given: unknown,
  counts: (issue: z.core.$ZodIssue) => boolean = () => true,
  error?: z.core.$ZodErrorMap,
): { success: true; data: Output } | Misfit {
  if (!hasProto(given)) return parse(schema, given, counts, error)
  const parsed = parse(schema, renamed(given, PROTO, STAND_IN), counts, error)
  if (parsed.success) return { success: true, data: renamed(parsed.data, STAND_IN, PROTO) as Output }
  // Issues are plain JSON.
  return {
    ...parsed,
    issues: JSON.parse(JSON.stringify(parsed.issues).replaceAll(STAND_IN, PROTO)) as Misfit['issues'],
  }
}

const settled = new WeakSet<z.core.$ZodType>()

/**
 * Makes all parts of a schema that wait for their first use: as long as one does, zod takes the objects around it for ones
 * that may contain themselves, and remembers each of them. Of a large file, that was a third of the time. Outside of lists,
 * only what is given is looked at.
 */
function settle(schema: z.core.$ZodType, given?: unknown): void {
  if (settled.has(schema)) return
  if (given === undefined) settled.add(schema)
  if (schema instanceof z.ZodLazy) settle(schema._zod.innerType, given)
  else if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) settle(schema.def.innerType, given)
  else if (schema instanceof z.ZodUnion) for (const option of schema.options) settle(option, given)
  else if (schema instanceof z.ZodArray) settle(schema.element)
  else if (schema instanceof z.ZodRecord) settle(schema.valueType)
  else if (schema instanceof z.ZodObject) {
    for (const [name, field] of Object.entries(schema.shape)) {
      const value = isObject(given) ? given[name] : undefined
      if (given === undefined || value !== undefined) settle(field, value)
    }
  }
}

const PROTO = '__proto__'

/** What stands for `__proto__` while a schema reads: zod drops that name, which is one like any other where names are free. */
const STAND_IN = `\uE000${PROTO}`

function hasProto(given: unknown): boolean {
  // A list of the values, for each of a million objects, took half a second; a call for each can go too deep.
  const open: unknown[] = [given]
  const add = (value: unknown) => {
    if (typeof value === 'object' && value !== null) open.push(value)
  }
  while (open.length > 0) {
    const value = open.pop()
    if (Array.isArray(value)) for (const item of value) add(item)
    if (!isObject(value)) continue
    for (const name in value) {
      if (name === PROTO) return true
      add(value[name])
    }
  }
  return false
}

/** The same value, in which fields of one name have another. What is nested too deep for any schema stays as it is. */
function renamed(value: unknown, from: string, to: string, levels = DEEPEST): unknown {
  if (levels === 0) return value
  const inside = (inner: unknown) => renamed(inner, from, to, levels - 1)
  if (Array.isArray(value)) return value.map(inside)
  if (!isObject(value) || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name === from ? to : name, inside(inner)]))
}

function parse<Output>(
  schema: z.ZodType<Output>,
  given: unknown,
  counts: (issue: z.core.$ZodIssue) => boolean,
  error?: z.core.$ZodErrorMap,
): { success: true; data: Output } | Misfit {
  const issuesOf = (parsed: z.ZodSafeParseResult<Output>) => parsed.error?.issues.filter(counts) ?? []
  if (isSmall(given)) {
    const parsed = schema.safeParse(given, error && { error })
    return parsed.success ? parsed : { success: false, issues: issuesOf(parsed), complete: true }
  }
  settle(schema, given)
  const context = error === undefined ? stopping : { ...stopping, error }
  const begun = issuesOf(schema.safeParse(beginningOf(given, LEVELS_SAMPLED), context))
  if (begun.length > 0) return { success: false, issues: begun.slice(0, MOST_ISSUES), complete: false }
  const parsed = schema.safeParse(given, context)
  if (parsed.success) return parsed
  return { success: false, issues: issuesOf(parsed).slice(0, MOST_ISSUES), complete: false }
}

/** A copy in which long lists end early. Objects stay whole: without some of its properties, one might not fit. */
function beginningOf(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null || levels === 0) return value
  if (Array.isArray(value)) return value.slice(0, SAMPLE).map((item) => beginningOf(item, levels - 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, beginningOf(item, levels - 1)]))
}

function isSmall(given: unknown): boolean {
  const open: unknown[] = [given]
  for (let count = 0; open.length > 0; count++) {
    if (count + open.length > MOST_VALUES) return false
    const value = open.pop()
    if (typeof value !== 'object' || value === null) continue
    const inner: unknown[] = Object.values(value)
    if (inner.length > MOST_VALUES) return false
    open.push(...inner)
  }
  return true
}

/** Faults, or known values, that a message lists. */
export const LISTED = 10

/** The faults of a misfit in one line, each with its place if it has one. */
export function listFaults(
  faults: readonly { path: string; message: string }[],
  complete = true,
  count = faults.length,
): string {
  const shown = faults.slice(0, LISTED).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  const more = complete ? count - shown.length : 0
  if (!complete) shown.push('the rest was not checked')
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}
