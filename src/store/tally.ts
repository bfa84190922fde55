/** What a record counts for: keys, of which each group counts how many there are, and instants, which each group sorts. */
export interface Counted {
  keys: readonly (readonly [group: string, key: string])[]
  instants: readonly (readonly [group: string, instant: string])[]
}

type Entries = Counted['keys']

/** What no record counts for. */
export const NOTHING: Counted = { keys: [], instants: [] }
const noKeys: ReadonlyMap<string, number> = new Map()

/**
 * Counts over all records of a table. A change takes back what the record counted for before, and adds what it counts for
 * now: an overview of 10,000 features takes 0.2 ms in place of 10.
 */
export class Tally {
  readonly #keys = new Map<string, Map<string, number>>()
  /** Sorted. */
  readonly #instants = new Map<string, string[]>()

  constructor(records: Iterable<Counted>) {
    for (const { keys, instants } of records) {
      for (const [group, key] of keys) this.#count(group, key, 1)
      for (const [group, instant] of instants) this.#sorted(group).push(instant)
    }
    for (const instants of this.#instants.values()) instants.sort()
  }

  /** How often each key occurs in a group. */
  counts(group: string): ReadonlyMap<string, number> {
    return this.#keys.get(group) ?? noKeys
  }

  /** How many instants of a group are not after this one; without one, how many there are. */
  upTo(group: string, instant?: string): number {
    const instants = this.#instants.get(group) ?? []
    return instant === undefined ? instants.length : placeAfter(instants, instant)
  }

  earliest(group: string): string | undefined {
    return this.#instants.get(group)?.[0]
  }

  /** A record counts for something else now. */
  change(gone: Counted, come: Counted): void {
    for (const [group, key] of without(gone.keys, come.keys)) this.#count(group, key, -1)
    for (const [group, key] of without(come.keys, gone.keys)) this.#count(group, key, 1)
    for (const [group, instant] of without(gone.instants, come.instants)) {
      const instants = this.#sorted(group)
      instants.splice(placeAfter(instants, instant) - 1, 1)
    }
    for (const [group, instant] of without(come.instants, gone.instants)) {
      const instants = this.#sorted(group)
      instants.splice(placeAfter(instants, instant), 0, instant)
    }
  }

  #count(group: string, key: string, by: 1 | -1): void {
    const counts = this.#keys.get(group) ?? new Map<string, number>()
    this.#keys.set(group, counts)
    const count = (counts.get(key) ?? 0) + by
    if (count === 0) counts.delete(key)
    else counts.set(key, count)
  }

  #sorted(group: string): string[] {
    const instants = this.#instants.get(group) ?? []
    this.#instants.set(group, instants)
    return instants
  }
}

/** The entries that don't stand at the same place in another list: most of a record's stay as they are. */
function without(entries: Entries, others: Entries): Entries {
  return entries.filter(([group, key], i) => group !== others[i]?.[0] || key !== others[i]?.[1])
}

/** The place behind the last instant that is not after this one. */
function placeAfter(instants: readonly string[], instant: string): number {
  let [low, high] = [0, instants.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((instants[middle] ?? '') <= instant) low = middle + 1
    else high = middle
  }
  return low
}
