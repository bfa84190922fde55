import type { Frozen } from '../../../support/freeze.js'
import { badData, type Failure, found } from '../../contract/errors.js'
import { numberAfter } from '../../store/collection.js'
import type { Tables } from '../tables.js'
import type { Key, Table } from './context.js'
import { latest, type NumberedKind } from './sequences.js'

/** The record with this key, or a 404 that names it: `There is no segment "7".` */
export function findRecord<Item, ItemKey extends Key>(
  table: Pick<Table<Item, ItemKey>, 'get'>,
  key: ItemKey,
  what: string,
): Frozen<Item> {
  return found(table.get(key), () => `There is no ${what} "${key}".`)
}

/** Fails if the environment that a request names doesn't exist. */
export function checkEnvironment({ environments }: Tables, name: string, path: string): Failure | undefined {
  return environments.has(name) ? undefined : badData(`There is no environment "${name}".`, path)
}

/** A table with secrets as keys. */
type SecretTable<Item> = Pick<Table<Item & { secret: string }, string>, 'size' | 'oldestFirst' | 'remove'>

/**
 * Makes room for a record: removes expired records, and the oldest while the table is full. Records expire in the order
 * of their creation, so it stops at the first unexpired record.
 */
export function evictOldest<Item>(
  table: SecretTable<Item>,
  kept: number,
  isOver: (record: Frozen<Item & { secret: string }>) => boolean = () => false,
): void {
  for (const record of table.oldestFirst()) {
    if (table.size < kept && !isOver(record)) return
    table.remove(record.secret)
  }
}

/** The ID of the next record of a kind: one more than the highest so far. */
export function nextId(tables: Tables, name: NumberedKind): number {
  let highest = tables.sequences.get(name)?.last ?? 0
  for (const { id } of tables[name].oldestFirst()) highest = Math.max(highest, Number(id))
  return numberAfter(highest, name)
}

/** Remembers the ID of a removed record. */
export function retireId({ sequences }: Pick<Tables, 'sequences'>, name: NumberedKind, id: number | string): void {
  sequences.replace(latest({ name, last: Number(id) }, sequences.get(name)))
}
