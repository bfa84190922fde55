import leven from 'leven'

/** The nearest of some names, however far it is: by the letters to change, of the whole or of the beginning. */
export function nearestOf(name: string, known: readonly string[]): string | undefined {
  return rank(name, known)[0]?.candidate
}

/** ` Did you mean "x"?`, or nothing where no name is near enough to be meant. */
export function didYouMean(name: string, known: readonly string[]): string {
  const [best] = rank(name, known)
  const farthest = Math.max(1, Math.floor(name.length / 2))
  return best === undefined || best.distance > farthest ? '' : ` Did you mean "${best.candidate}"?`
}

/** Somebody who types half a name means the whole of it: what follows costs a little, not a letter each. */
const REST_COSTS = 0.5

/** Characters of a name that are compared: what that costs grows with the product of the lengths. */
const COMPARED = 100

/** The nearest first; of those equally near the one with the least to change in all. */
function rank(name: string, known: readonly string[]): { candidate: string; distance: number }[] {
  const wanted = name.slice(0, COMPARED).toLowerCase()
  return known
    .map((candidate) => {
      const lowered = candidate.slice(0, COMPARED).toLowerCase()
      const whole = leven(wanted, lowered)
      const beginning = leven(wanted, lowered.slice(0, wanted.length)) + REST_COSTS
      return { candidate, whole, distance: Math.min(whole, beginning) }
    })
    .toSorted((one, other) => one.distance - other.distance || one.whole - other.whole)
}
