import type * as z from 'zod'

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
  const issuesOf = (parsed: z.ZodSafeParseResult<Output>) => parsed.error?.issues.filter(counts) ?? []
  if (isSmall(given)) {
    const parsed = schema.safeParse(given, error && { error })
    return parsed.success ? parsed : { success: false, issues: issuesOf(parsed), complete: true }
  }
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

/** Faults that a message lists. */
const LISTED = 10

/** The faults of a misfit in one line, each with its place. */
export function listFaults(faults: readonly { path: string; message: string }[], complete = true): string {
  const shown = faults.slice(0, LISTED).map(({ path, message }) => `${path}: ${message}`)
  const more = complete ? faults.length - shown.length : 0
  if (!complete) shown.push('the rest was not checked')
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}
