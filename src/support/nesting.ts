/** The deepest nesting accepted: recursing through much deeper values overflows the stack. */
export const DEEPEST = 500

/** Whether a JSON value is nested more deeply. Checks level by level, without recursion. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; depth <= DEEPEST; depth++) {
    const inner = level.filter((item) => typeof item === 'object' && item !== null)
    if (inner.length === 0) return false
    level = inner.flatMap((item) => Object.values(item as object) as unknown[])
  }
  return true
}
