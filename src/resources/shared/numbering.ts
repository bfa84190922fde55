import type { Tables } from '../tables.js'
import { latest, type NumberedKind } from './sequences.js'

/** The number of the next record of a kind: one more than any has had. */
export function nextId(tables: Tables, name: NumberedKind): number {
  let highest = tables.sequences.get(name)?.last ?? 0
  for (const { id } of tables[name].oldestFirst()) highest = Math.max(highest, Number(id))
  return highest + 1
}

/** Remembers the number of a record that is removed. */
export function retireId({ sequences }: Pick<Tables, 'sequences'>, name: NumberedKind, id: number | string): void {
  sequences.replace(latest({ name, last: Number(id) }, sequences.get(name)))
}
