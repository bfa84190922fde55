/** Whether a value can be sent as JSON, with nothing lost silently: no functions, symbols, BigInts or cycles in it. */
export function isJson(value: unknown): boolean {
  try {
    JSON.stringify(value, (_, inner: unknown) => {
      if (typeof inner === 'function' || typeof inner === 'symbol') throw new TypeError('not JSON')
      return inner
    })
    return true
  } catch {
    return false
  }
}

/** The value at a path inside another value; undefined if the path doesn't exist. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inside, key) =>
      typeof inside === 'object' && inside !== null && Object.hasOwn(inside, key)
        ? (inside as Record<PropertyKey, unknown>)[key]
        : undefined,
    value,
  )
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const LONGEST_SHOWN = 100

/** A short description of a value, for error messages. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'an array'
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? 'an invalid Date' : `the Date ${value.toISOString()}`
  if (typeof value === 'object' && value !== null) return 'an object'
  if (typeof value === 'function') return 'a function'
  // BigInts, symbols, NaN and infinities are not JSON.
  const text = ['bigint', 'symbol', 'number'].includes(typeof value) ? String(value) : JSON.stringify(value)
  return inBrief(text)
}

/** A text as an error message quotes it: not in all its length. */
export function inBrief(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN - 1)}…` : text
}

/** The deepest nesting accepted: recursing through much deeper values overflows the stack. */
export const DEEPEST = 64

/** The most properties of an object accepted: an object with many more is slow to check. */
export const WIDEST = 10_000

/** Whether a JSON value is nested more deeply. Default: than the deepest nesting accepted. */
export function isTooDeep(value: unknown, levels = DEEPEST): boolean {
  return pathWhere(value, (_, left) => left === 0, levels) !== undefined
}

/** The path to the first object or list for which a test holds, in as many levels of a value. Those below it are left. */
export function pathWhere(
  value: unknown,
  holds: (inner: object, left: number) => boolean,
  levels = DEEPEST,
): PropertyKey[] | undefined {
  if (typeof value !== 'object' || value === null || levels < 0) return undefined
  if (holds(value, levels)) return []
  for (const [key, item] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    const path = pathWhere(item, holds, levels - 1)
    if (path !== undefined) return [key, ...path]
  }
  return undefined
}

/** A field can't have this name: to assign it changes an object's prototype, and zod drops it. */
export const PROTO = '__proto__'

/** Whether a value contains all that is expected: objects may have more fields, lists must have the same length. */
export function contains(value: unknown, expected: unknown): boolean {
  if (Array.isArray(expected)) {
    return (
      Array.isArray(value) && value.length === expected.length && expected.every((item, i) => contains(value[i], item))
    )
  }
  if (!isObject(expected)) return Object.is(value, expected)
  return (
    isObject(value) &&
    Object.entries(expected).every(([key, inner]) => Object.hasOwn(value, key) && contains(value[key], inner))
  )
}

/** How long a line of a file for people may be, and from which indentation on a value is one line whatever its length. */
const WIDTH = 120
const DEEP = 14

/** JSON for people: what fits, or is nested deeply, stands on one line, else each part on a line of its own. */
export function laidOut(value: unknown, indent = ''): string {
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{ ', ' }']
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined)
  const parts = fields.map(([name, inner]) => {
    const text = laidOut(inner, `${indent}  `)
    return Array.isArray(value) ? text : `${JSON.stringify(name)}: ${text}`
  })
  const inside = parts.join(', ')
  if (parts.length === 0) return Array.isArray(value) ? '[]' : '{}'
  const fits = indent.length + inside.length < WIDTH && !inside.includes('\n')
  if (indent !== '' && (fits || indent.length >= DEEP)) return `${open}${inside}${close}`
  return `${open.trim()}\n${parts.map((part) => `${indent}  ${part}`).join(',\n')}\n${indent}${close.trim()}`
}
