import { atCallSite, invalidArgument } from '../errors/arguments.js'
import { stateName } from './selection.js'

/**
 * Lists of flags' states in which each pair of states occurs at least once: ten flags have 1,024 combinations, but few lists
 * contain all pairs. Each list has a state for each flag. The same arguments give the same lists.
 *
 * @example
 * test.for(flagStates(['new-checkout', 'dark-mode', 'search']))('the shop works with %s', (states, { mock }) => {
 *   mock.useScenario(states)
 * })
 */
export function flagStates(flags: readonly string[], states: readonly string[] = ['on', 'off']): string[][] {
  return atCallSite(flagStates, () => {
    for (const list of [flags, states]) expectTexts(list)
    const columns = [...new Set(flags)].map((flag) => [...new Set(states)].map((state) => stateName(flag, state)))
    const [first = [], ...others] = columns
    // A flag alone has no pairs, but each of its states counts.
    if (others.length === 0) return first.map((name) => [name])
    const left = pairsIn(columns)
    const rows: string[][] = []
    for (const [one, other] of left.values()) {
      if (!left.has(keyOf(one, other))) continue
      const row = columns.map((names) => names.find((name) => name === one || name === other))
      for (const [at, names] of columns.entries()) row[at] ??= bestOf(names, row, left)
      const whole = row.filter((name) => name !== undefined)
      for (const [at, name] of whole.entries()) for (const later of whole.slice(at + 1)) left.delete(keyOf(name, later))
      rows.push(whole)
    }
    return rows
  })
}

type Pairs = Map<string, readonly [one: string, other: string]>

function pairsIn(columns: readonly (readonly string[])[]): Pairs {
  const pairs = columns.flatMap((names, at) =>
    columns.slice(at + 1).flatMap((others) => names.flatMap((one) => others.map((other) => [one, other] as const))),
  )
  return new Map(pairs.map(([one, other]) => [keyOf(one, other), [one, other]]))
}

/** The state with the most pairs that no list contains yet. */
function bestOf(names: readonly string[], row: readonly (string | undefined)[], left: Pairs): string | undefined {
  const gain = (name: string) =>
    row.filter((other) => other !== undefined && [keyOf(name, other), keyOf(other, name)].some((key) => left.has(key)))
      .length
  return names.toSorted((one, other) => gain(other) - gain(one))[0]
}

function keyOf(one: string, other: string): string {
  return `${one},${other}`
}

function expectTexts(list: unknown): void {
  const isRight =
    Array.isArray(list) && list.length > 0 && list.every((text) => typeof text === 'string' && text !== '')
  if (!isRight) throw invalidArgument('flagStates', 'a list of flags and a list of states', list)
}
