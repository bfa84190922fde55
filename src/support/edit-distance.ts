/** The number of edits that turn one text into another: insertions, deletions, replacements, swaps of two neighbours. */
export function editDistance(one: string, other: string): number {
  let before: number[] = []
  let previous: number[] = []
  let current = Array.from({ length: other.length + 1 }, (_, j) => j)
  for (let i = 1; i <= one.length; i++) {
    ;[before, previous, current] = [previous, current, [i]]
    for (let j = 1; j <= other.length; j++) {
      const replaced = at(previous, j - 1) + (one[i - 1] === other[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const swapped = isSwap ? at(before, j - 2) + 1 : replaced
      current.push(Math.min(at(previous, j) + 1, at(current, j - 1) + 1, replaced, swapped))
    }
  }
  return at(current, other.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? 0
}
