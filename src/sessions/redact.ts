/** What stands for a value that is not to be shown. */
export const REDACTED = '[redacted]'

/** Levels of nesting that are shown; deeper ones only say that they are there. */
const DEEPEST = 100

/** A copy of a JSON value without passwords. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth >= DEEPEST) return '[nested deeper]'
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, /password/i.test(key) ? REDACTED : redact(item, depth + 1)]),
  )
}
