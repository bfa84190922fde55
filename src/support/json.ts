import { murmur3 } from './hash.js'

/** Whether JSON can represent a value completely: it contains no functions, symbols, BigInts or cycles. */
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

/** Whether a text is JSON. */
export function isValidJson(text: string): boolean {
  try {
    JSON.parse(text)
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

/** A text shortened for a quote in an error message. */
export function inBrief(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN - 1)}…` : text
}

/** The maximum nesting: recursing through much deeper values overflows the stack. */
export const DEEPEST = 64

/** The maximum properties of an object: checking an object with many more is slow. */
export const WIDEST = 10_000

/** Whether a JSON value is nested more deeply than a limit. Default: the maximum nesting. */
export function isTooDeep(value: unknown, levels = DEEPEST): boolean {
  return pathWhere(value, (_, left) => left === 0, levels) !== undefined
}

/** The path to the first object or list that passes a test, down to a number of levels. It doesn't descend into a match. */
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

/** No field can have this name: assigning it changes an object's prototype, and zod drops it. */
export const PROTO = '__proto__'

/** Whether a value contains all expected values: objects can have more fields, lists must have the same length. */
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

/** Whether two values are the same JSON, with fields in any order. */
export function isSame(one: unknown, other: unknown): boolean {
  return one === other || (contains(one, other) && contains(other, one))
}

/** The maximum width of a line, and the indentation from which a value is always one line. */
const WIDTH = 120
const DEEP = 14

/** JSON for readers: values that fit, or are nested deeply, take one line; others a line for each part. */
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

/** Serialized JSON, to be sent unchanged or as a part of something larger. */
export class JsonText {
  readonly text: string
  /** The entity tag of a response with this text, once it has been computed. */
  entityTag: string | undefined
  #print: number | undefined

  constructor(text: string, print?: number) {
    this.text = text
    this.#print = print
  }

  /** A number that changes almost always when the text does. */
  get print(): number {
    this.#print ??= murmur3(this.text)
    return this.#print
  }
}

/** Serializes a value as JSON, unless it is already serialized. */
export function toJson(value: unknown): string | undefined {
  return value instanceof JsonText ? value.text : JSON.stringify(value)
}

/** A list of texts. Its print combines theirs: reading all of a long list takes as long as writing it. */
export function listText(items: readonly JsonText[]): JsonText {
  return new JsonText(`[${items.map(({ text }) => text).join(',')}]`)
}

/** One number for all prints, in order. */
export function printOf(items: readonly JsonText[]): number {
  return items.reduce((all, { print }) => (Math.imul(all, 31) + print) | 0, items.length)
}

/** An object, some of whose values can be serialized already. */
export function objectText(fields: Readonly<Record<string, unknown>>, print?: number): JsonText {
  let members = ''
  for (const [name, value] of Object.entries(fields)) {
    const text = toJson(value)
    if (text !== undefined) members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${text}`
  }
  return new JsonText(`{${members}}`, print)
}
