/** What nobody can change: a record as the store hands it out. */
export type Frozen<T> = T extends (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T

/** What anybody may change: a copy of a record. */
export type Thawed<T> = T extends readonly (infer Item)[]
  ? Thawed<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Thawed<T[Key]> }
    : T

/** The list of nothing: one for all records, of whose lists most are empty. */
export const none = Object.freeze([]) as unknown as never[]

/** Freezes a value and all it holds, in place. */
export function deepFreeze<T>(value: T): Frozen<T> {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    // JSON inherits nothing, and this needs no list of the keys.
    for (const key in value) deepFreeze(value[key])
    Object.freeze(value)
  }
  return value as Frozen<T>
}

/** A copy of plain JSON, to do with as one likes; several times as fast as `structuredClone`. */
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
