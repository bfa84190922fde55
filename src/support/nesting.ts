/** The deepest nesting accepted: recursing through much deeper values overflows the stack. */
export const DEEPEST = 500

/** Whether a JSON value is nested more deeply. */
export function isTooDeep(value: unknown, levels = DEEPEST): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  return childrenOf(value).some((item) => isTooDeep(item, levels - 1))
}

/** The most properties of an object accepted: an object with many more is slow to read and to check. */
export const WIDEST = 10_000

/** Whether an object inside a JSON value has more properties. The value must not be nested too deeply. */
export function isTooWide(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const children = childrenOf(value)
  return (!Array.isArray(value) && children.length > WIDEST) || children.some(isTooWide)
}

function childrenOf(value: object): readonly unknown[] {
  return Array.isArray(value) ? value : Object.values(value)
}
