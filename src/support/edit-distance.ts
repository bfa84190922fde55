/** The number of edits that turn one text into another: insertions, deletions, replacements, swaps of two neighbours. */
export function editDistance(one: string, other: string): number {
  return editDistances(one, other)[other.length] ?? 0
}

/** The edit distances from a text to each beginning of another; at index `n`, to the first `n` characters. */
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
