interface Version {
  numbers: readonly number[]
  /** What follows the `-`, split at its dots; empty for a release. */
  prerelease: readonly string[]
}

const NUMBER = '(?:0|[1-9]\\d*)'
const IDENTIFIER = `(?:${NUMBER}|\\d*[a-zA-Z-][0-9a-zA-Z-]*)`
const VERSION = new RegExp(
  `^(${NUMBER})\\.(${NUMBER})\\.(${NUMBER})(?:-(${IDENTIFIER}(?:\\.${IDENTIFIER})*))?(?:\\+[0-9a-zA-Z-.]+)?$`,
)

/** How two semantic versions stand to each other: below, at or above zero; undefined if one of them is none. */
export function compareVersions(one: string, other: string): number | undefined {
  const [a, b] = [parse(one), parse(other)]
  if (a === undefined || b === undefined) return undefined
  return compareLists(a.numbers, b.numbers, (x, y) => x - y) || comparePrereleases(a.prerelease, b.prerelease)
}

function parse(text: string): Version | undefined {
  const found = VERSION.exec(text.trim())
  if (found === null) return undefined
  const [, major, minor, patch, prerelease = ''] = found
  return { numbers: [major, minor, patch].map(Number), prerelease: prerelease === '' ? [] : prerelease.split('.') }
}

/** A release comes after everything that leads to it. */
function comparePrereleases(one: readonly string[], other: readonly string[]): number {
  if (one.length === 0 || other.length === 0) return other.length - one.length
  return compareLists(one, other, compareIdentifiers)
}

/** Numbers by their value and before words, words by their characters. */
function compareIdentifiers(one: string, other: string): number {
  const [a, b] = [/^\d+$/.test(one), /^\d+$/.test(other)]
  if (a && b) return Number(one) - Number(other)
  if (a !== b) return a ? -1 : 1
  return one < other ? -1 : one > other ? 1 : 0
}

/** Item by item; of lists that are alike as far as they go, the shorter comes first. */
function compareLists<Item>(
  one: readonly Item[],
  other: readonly Item[],
  compare: (a: Item, b: Item) => number,
): number {
  for (const [i, item] of one.entries()) {
    const counterpart = other[i]
    if (counterpart === undefined) break
    const order = compare(item, counterpart)
    if (order !== 0) return order
  }
  return one.length - other.length
}
