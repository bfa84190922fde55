import { JS, NFA } from 'refa'

type State = NFA.ReadonlyNode

/**
 * Whether an expression can read a repeated text in ever more ways: two successive loops both match it, and so does the
 * path between them. The engine then tries every repetition as the place to change over. The repeated text can be any,
 * such as `,a`; scslre finds only single characters.
 */
export function isAmbiguous(source: string, flags: string): boolean {
  const { expression, maxCharacter } = JS.Parser.fromLiteral({ source, flags }).parse({
    assertions: 'ignore',
    backreferences: 'disable',
  })
  const { initial } = NFA.fromRegex(expression, { maxCharacter })
  const loops = [...reachable([initial], next)].filter((state) => reachable(next(state), next).has(state))
  return loops.some((one) =>
    [...reachable([one], next)].some((other) => other !== one && loops.includes(other) && haveOneText(one, other)),
  )
}

function next(state: State): Iterable<State> {
  return state.out.keys()
}

/** Whether the same text leads from a state back to it, from it to another, and from that state back to itself. */
function haveOneText(one: State, other: State): boolean {
  const numbers = new Map<State, number>()
  const numberOf = (state: State) => numbers.get(state) ?? numbers.set(state, numbers.size).size - 1
  const seen = new Set<string>()
  const waiting: [State, State, State][] = [[one, one, other]]
  for (const [around, across, aroundOther] of waiting) {
    for (const [first, firstSet] of around.out) {
      for (const [second, secondSet] of across.out) {
        const both = firstSet.intersect(secondSet)
        for (const [third, thirdSet] of aroundOther.out) {
          if (both.isDisjointWith(thirdSet)) continue
          if (first === one && second === other && third === other) return true
          const key = [first, second, third].map(numberOf).join()
          if (seen.has(key)) continue
          seen.add(key)
          waiting.push([first, second, third])
        }
      }
    }
  }
  return false
}

/** The given items, and all that follow them. */
function reachable<Item>(from: Iterable<Item>, after: (item: Item) => Iterable<Item>): Set<Item> {
  const found = new Set(from)
  for (const item of found) for (const one of after(item)) found.add(one)
  return found
}
