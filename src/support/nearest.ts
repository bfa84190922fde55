import leven from 'leven'

/** The nearest known name, however distant: by edit distance to the whole name or to its beginning. */
export function nearestOf(name: string, known: readonly string[]): string | undefined {
  return rank(name, known)[0]?.candidate
}

/** ` Did you mean "x"?`, or an empty string if no name is close enough. */
export function didYouMean(name: string, known: readonly string[]): string {
  const [best] = rank(name, known)
  const farthest = Math.max(1, Math.floor(name.length / 2))
  return best === undefined || best.distance > farthest ? '' : ` Did you mean "${best.candidate}"?`
}

/** The cost of a missing end: people who type half a name mean the whole name. */
const MISSING_END_COST = 0.5

/** Characters compared at most: the cost grows with the product of the lengths. */
const COMPARED = 100

/** Nearest first; ties are broken by the distance to the whole name. */
function rank(name: string, known: readonly string[]): { candidate: string; distance: number }[] {
  const wanted = name.slice(0, COMPARED).toLowerCase()
  return known
    .map((candidate) => {
      const lowered = candidate.slice(0, COMPARED).toLowerCase()
      const whole = leven(wanted, lowered)
      const beginning = leven(wanted, lowered.slice(0, wanted.length)) + MISSING_END_COST
      return { candidate, whole, distance: Math.min(whole, beginning) }
    })
    .toSorted((one, other) => one.distance - other.distance || one.whole - other.whole)
}
