/** A value that can't be changed, such as a stored record. */
export type Frozen<T> = T extends (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T

/** The reverse of `Frozen`: a mutable copy. */
export type Thawed<T> = T extends readonly (infer Item)[]
  ? Thawed<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Thawed<T[Key]> }
    : T

/** The empty list. Records share it, because most of their lists are empty. */
export const none = Object.freeze([]) as unknown as never[]

/** Freezes a value and everything inside it, in place. */
export function deepFreeze<T>(value: T): Frozen<T> {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    // JSON has no inherited properties, and `for … in` allocates no list of keys.
    if (Array.isArray(value)) for (const item of value) deepFreeze(item)
    else for (const key in value) deepFreeze(value[key])
    Object.freeze(value)
  }
  return value as Frozen<T>
}

/**
 * A record with changes. Assigned, because V8 gives each object that is spread and then frozen its own hidden class, which
 * costs a kilobyte and slows reads.
 */
export function assigned<Item extends object, Changes extends object>(record: Item, changes?: Changes): Item & Changes {
  return Object.assign({}, record, changes as Changes)
}

/** A mutable copy of plain JSON. Several times as fast as `structuredClone`. */
export function deepCopy<T>(value: Frozen<T>): T {
  if (typeof value !== 'object' || value === null) return value as T
  if (Array.isArray(value)) return value.map(deepCopy) as T
  const copy = { ...(value as Record<string, unknown>) }
  for (const key of Object.keys(copy)) {
    const inner = copy[key]
    if (typeof inner === 'object' && inner !== null) copy[key] = deepCopy(inner)
  }
  return copy as T
}
