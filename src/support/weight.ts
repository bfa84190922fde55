const known = new WeakMap<object, number>()

/** What a frozen record weighs, as all that is kept is weighed: the characters of its JSON. Each is counted once. */
export function weightOf(record: object): number {
  let weight = known.get(record)
  if (weight === undefined) {
    weight = JSON.stringify(record).length
    known.set(record, weight)
  }
  return weight
}
