/**
 * How many edits turn a text into each beginning of another; at index `n`, into the first `n` characters. Edits are
 * insertions, deletions, replacements, swaps of two neighbours.
 */
export function editDistances(one: string, other: string): ArrayLike<number> {
  const width = other.length + 1
  let before = new Uint16Array(width)
  let previous = new Uint16Array(width)
  let current = Uint16Array.from({ length: width }, (_, j) => j)
  for (let i = 1; i <= one.length; i++) {
    const row = before
    ;[before, previous, current] = [previous, current, row]
    fillRow(i, { one, other, before, previous, current })
  }
  return current
}

interface Rows {
  one: string
  other: string
  before: Uint16Array
  previous: Uint16Array
  current: Uint16Array
}

/** One row of the table: the distances from the first `i` characters. It needs the two rows before it. */
function fillRow(i: number, { one, other, before, previous, current }: Rows): void {
  const letter = one.charCodeAt(i - 1)
  const letterBefore = one.charCodeAt(i - 2)
  let left = i
  current[0] = i
  for (let j = 1; j <= other.length; j++) {
    const compared = other.charCodeAt(j - 1)
    let least = (previous[j - 1] ?? 0) + (letter === compared ? 0 : 1)
    least = Math.min(least, (previous[j] ?? 0) + 1, left + 1)
    if (letterBefore === compared && j > 1 && letter === other.charCodeAt(j - 2)) {
      least = Math.min(least, (before[j - 2] ?? 0) + 1)
    }
    current[j] = left = least
  }
}

/** The nearest known name, however distant: by edit distance to the whole name or to its beginning. */
export function nearestOf(name: string, known: readonly string[]): string | undefined {
  return rank(name, known)[0]?.candidate
}

/** The nearest known name if it is so near that it must be meant. No hint is better than a wrong one. */
export function nearOf(name: string, known: readonly string[]): string | undefined {
  const [best] = rank(name, known)
  return best !== undefined && isNear(name, best) ? best.candidate : undefined
}

/** ` Did you mean "x"?`, or an empty string if no name is near. */
export function didYouMean(name: string, known: readonly string[]): string {
  const near = nearOf(name, known)
  return near === undefined ? '' : ` Did you mean "${near}"?`
}

/** The cost of a missing end: people who type half a name mean the whole name. */
const MISSING_END_COST = 0.5

/** Shorter names are like too many others. */
const SHORTEST = 3

/** Of this many letters that differ, one may be wrong. */
const LETTERS_PER_EDIT = 3

/** Characters compared at most: the cost grows with the product of the lengths. */
const COMPARED = 100

interface Ranked {
  candidate: string
  /** Edits to the whole name. */
  whole: number
  /** Edits to its beginning, or to the whole if that is nearer. */
  distance: number
}

/** Nearest first; ties are broken by the distance to the whole name. */
function rank(name: string, known: readonly string[]): Ranked[] {
  const wanted = normalised(name)
  return known
    .map((candidate) => {
      const compared = normalised(candidate)
      const distances = editDistances(wanted, compared)
      const whole = distances[compared.length] ?? 0
      const beginning = (distances[Math.min(wanted.length, compared.length)] ?? 0) + MISSING_END_COST
      return { candidate, whole, distance: Math.min(whole, beginning) }
    })
    .toSorted((one, other) => one.distance - other.distance || one.whole - other.whole)
}

/** Judged from the word on in which they begin to differ: two paths have much in common that says nothing. */
function isNear(name: string, { candidate, distance, whole }: Ranked): boolean {
  const wanted = normalised(name)
  if (wanted.length < SHORTEST) return false
  if (distance < 1) return true
  const compared = normalised(candidate)
  const start = wordStart(wanted, compared)
  const letters = Math.max(wanted.length, whole === distance ? compared.length : 0) - start
  return wanted.length - start >= SHORTEST && distance < 1 + Math.max(1, Math.floor(letters / LETTERS_PER_EDIT))
}

/** Where the word begins in which two names first differ. */
function wordStart(one: string, other: string): number {
  const same = [...one].findIndex((letter, i) => letter !== other[i])
  const common = same === -1 ? one : one.slice(0, same)
  return 1 + Math.max(...['/', ' ', '-'].map((separator) => common.lastIndexOf(separator)))
}

function normalised(name: string): string {
  return name.slice(0, COMPARED).toLowerCase()
}
