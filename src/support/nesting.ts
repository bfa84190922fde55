/** The deepest nesting accepted: recursing through much deeper values overflows the stack. */
export const DEEPEST = 500

/** The most properties of an object accepted: an object with many more is slow to check. */
export const WIDEST = 10_000

/** Whether a JSON value is nested more deeply. */
export function isTooDeep(value: unknown): boolean {
  return excess(value, { levels: DEEPEST, properties: Number.POSITIVE_INFINITY }) !== undefined
}

/** What there is too much of in a JSON value: levels of nesting, or properties of one object. */
export function excess(
  value: unknown,
  { levels, properties }: { levels: number; properties: number } = { levels: DEEPEST, properties: WIDEST },
): 'levels' | 'properties' | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (levels === 0) return 'levels'
  const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  if (!Array.isArray(value) && items.length > properties) return 'properties'
  const inside = { levels: levels - 1, properties }
  for (const item of items) {
    const found = typeof item === 'object' ? excess(item, inside) : undefined
    if (found !== undefined) return found
  }
  return undefined
}
