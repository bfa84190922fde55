import { closestMatch } from 'leven'

/** The known name that is nearest to a mistyped one, if one is near enough to be meant. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const lowered = name.toLowerCase()
  const match = closestMatch(
    lowered,
    known.map((candidate) => candidate.toLowerCase()),
    { maxDistance: Math.max(2, Math.floor(name.length / 2)) },
  )
  return known.find((candidate) => candidate.toLowerCase() === match)
}

/** ` Did you mean "x"?`, or nothing. */
export function didYouMean(name: string, known: readonly string[]): string {
  const match = nearest(name, known)
  return match === undefined ? '' : ` Did you mean "${match}"?`
}

/** The nearest of some names, however far it is. */
export function nearestOf(name: string, known: readonly string[]): string | undefined {
  return closestMatch(name, [...known])
}
