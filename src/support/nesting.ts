/** Whether a JSON value holds lists or objects on more than so many levels. Goes level by level, so it is never too deep. */
export function isNestedDeeperThan(value: unknown, levels: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; depth <= levels; depth++) {
    const inner = level.filter((item) => typeof item === 'object' && item !== null)
    if (inner.length === 0) return false
    level = inner.flatMap((item) => Object.values(item as object) as unknown[])
  }
  return true
}
