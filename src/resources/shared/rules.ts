import type { DataFault } from '../../contract/mock-errors.js'
import { show } from '../../support/json.js'

/** A fault for each key that a list contains more than once. `path` is where the list stands. */
export function duplicateFaults(path: string, keys: readonly (string | number)[]): DataFault[] {
  const seen = new Map<string | number, number>()
  const faults: DataFault[] = []
  for (const [position, key] of keys.entries()) {
    const first = seen.get(key)
    if (first === undefined) seen.set(key, position)
    else faults.push({ path: `${path}[${position}]`, message: `${show(key)} is given already, at [${first}]` })
  }
  return faults
}

/** The texts, each once, sorted. */
export function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].toSorted()
}
