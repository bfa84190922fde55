import type { AnyTableDefinition } from '../resources/shared/table.js'

/**
 * The names of the kinds in an order in which each comes after those that its completion needs.
 * Throws if two kinds need each other.
 */
export function loadOrder(kinds: Readonly<Record<string, Pick<AnyTableDefinition, 'needs'>>>): string[] {
  const order: string[] = []
  const place = (name: string, path: readonly string[]): void => {
    if (order.includes(name)) return
    if (path.includes(name)) throw new Error(`Kinds of records need each other: ${[...path, name].join(' → ')}.`)
    for (const needed of kinds[name]?.needs ?? []) place(needed, [...path, name])
    order.push(name)
  }
  for (const name of Object.keys(kinds)) place(name, [])
  return order
}
