import { isObject } from './json-path.js'

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
