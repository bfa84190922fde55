// A measurement takes n items in each list, 2n and 4n. In a + bn + qn², q is (W₄ - 3W₂ + 2W₁) / 6n², however large the
// constant and the linear part are.
const LEAST = 16
/** The first size is a warm-up, because schemas are compiled on first use. */
export const SIZES: readonly number[] = [4, LEAST, 2 * LEAST, 4 * LEAST]

/** The quadratic part of counts for each size. */
export function square([, one = 0, two = 0, four = 0]: readonly number[]): number {
  return (four - 3 * two + 2 * one) / (6 * LEAST ** 2)
}

/** The quadratic part of the work for each size, and the lines of code with most of it. */
export function squareOfWork(works: readonly ReadonlyMap<string, number>[]): { work: number; where: string[] } {
  const places = new Set(works.flatMap((work) => [...work.keys()]))
  const byPlace = [...places].map((place) => [place, square(works.map((work) => work.get(place) ?? 0))] as const)
  const greatest = byPlace.toSorted(([, one], [, other]) => other - one).slice(0, 4)
  return {
    work: byPlace.reduce((sum, [, q]) => sum + q, 0),
    where: greatest.map(([place, q]) => `${place} ${q}`),
  }
}

/** Counts of steps by line of code: each function and loop of src/, and the items that native methods visit for it. */
let counts: Map<string, number> | undefined
let place = ''

/** Code that tools/count-work.js inserts calls this at each run of a function or loop. */
export function step(here: string): void {
  if (counts === undefined) return
  place = here
  add(1)
}

/** Counts the keys of an object that a spread copies, and returns the object. */
export function copied<Value>(value: Value): Value {
  add(keysOf(value))
  return value
}

function add(work: number): void {
  counts?.set(place, (counts.get(place) ?? 0) + work)
}

const { keys } = Object
const keysOf = (value: unknown) => (typeof value === 'object' && value !== null ? keys(value).length : 0)
const sizeOf = (value: unknown) => {
  const { length, size } = Object(value) as { length?: unknown; size?: unknown }
  return Number(length ?? size ?? 0)
}

/** The number of items that a native method visits. `from` is where an expression starts to search. */
type Weigh = (self: unknown, args: readonly unknown[], result: unknown, from: number) => number
const ofSelf: Weigh = (self) => sizeOf(self)
const ofResult: Weigh = (_self, _args, result) => sizeOf(result)
/** V8 searches for a text of more than 250 characters in as many steps as the product of the lengths. */
const ofSearch: Weigh = (self, [text]) => {
  const [length, wanted] = [sizeOf(self), sizeOf(text)]
  return wanted > 250 && wanted < length ? length * wanted : length
}
const ofText: Weigh = (_self, [text]) => sizeOf(text)
/** A global expression continues after its last match, and a sticky one tries a single place. */
const ofMatch: Weigh = (self, [text], _result, from) => {
  const { global, sticky, lastIndex } = self as RegExp
  if (lastIndex > from) return lastIndex - from
  return sticky ? 1 : sizeOf(text) - (global ? from : 0)
}
const found: Weigh = (self, _args, at) => (typeof at === 'number' && at >= 0 ? at + 1 : sizeOf(self))
const iterators = [[], new Map(), new Set()].map((list) => Object.getPrototypeOf(list[Symbol.iterator]()) as object)
const natives: readonly [object, readonly string[], Weigh][] = [
  [Array.prototype, ['includes', 'indexOf', 'lastIndexOf'], found],
  [Array.prototype, ['slice', 'concat', 'splice', 'flat', 'with', 'toSpliced'], ofResult],
  [Array.prototype, ['join', 'shift', 'unshift', 'reverse', 'toReversed', 'fill', 'sort', 'toSorted'], ofSelf],
  [String.prototype, ['includes', 'indexOf', 'lastIndexOf'], ofSearch],
  [String.prototype, ['split', 'match', 'trim', 'normalize'], ofSelf],
  [String.prototype, ['toLowerCase', 'toUpperCase', 'replace', 'replaceAll', 'repeat', 'padStart', 'padEnd'], ofResult],
  [RegExp.prototype, ['exec', 'test'], ofMatch],
  [JSON, ['parse'], ofText],
  [JSON, ['stringify'], ofResult],
  [Object, ['keys', 'values', 'entries', 'freeze'], (_self, [value]) => keysOf(value)],
  [Object, ['assign'], (_self, [, from]) => keysOf(from)],
  // Spreads, `for … of`, and constructors that copy a list, map or set.
  ...iterators.map((iterator): (typeof natives)[number] => [iterator, ['next'], () => 1]),
]

/** Runs a function, and returns its work by line of code. */
export async function workOf<Result>(run: () => Promise<Result>): Promise<[Result, Map<string, number>]> {
  const work = new Map<string, number>()
  let isInside = false
  const undo = natives.flatMap(([target, names, weigh]) =>
    names.map((name) => {
      const native = Object.getOwnPropertyDescriptor(target, name) as PropertyDescriptor
      const value = function (this: unknown, ...args: unknown[]) {
        const from = this instanceof RegExp ? this.lastIndex : 0
        const result: unknown = Reflect.apply(native.value, this, args)
        if (isInside) return result
        isInside = true
        add(weigh(this, args, result, from))
        isInside = false
        return result
      }
      Object.defineProperty(target, name, { ...native, value })
      return () => Object.defineProperty(target, name, native)
    }),
  )
  counts = work
  try {
    return [await run(), work]
  } finally {
    counts = undefined
    for (const restore of undo) restore()
  }
}
