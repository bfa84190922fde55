/** Levels of nesting that a given value may have: whoever walks through a much deeper one runs out of stack. */
export const DEEPEST = 500

/** Whether a JSON value holds lists or objects on more levels than that. Goes level by level, so it is never too deep itself. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; depth <= DEEPEST; depth++) {
    const inner = level.filter((item) => typeof item === 'object' && item !== null)
    if (inner.length === 0) return false
    level = inner.flatMap((item) => Object.values(item as object) as unknown[])
  }
  return true
}
