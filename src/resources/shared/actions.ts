import type { Frozen } from '../../support/freeze.js'
import type { Table } from './context.js'

/** A table whose records have a secret as their key. */
type SecretTable<Item> = Table<Item & { secret: string }, string, 'user'>

/**
 * Makes room for a record: removes those that are over, and the oldest ones while the table is full. Records are over in
 * the order in which they were added, so it stops at the first one that isn't.
 */
export function makeRoom<Item>(
  table: SecretTable<Item>,
  kept: number,
  isOver: (record: Frozen<Item & { secret: string }>) => boolean,
): void {
  for (const record of table.oldestFirst()) {
    if (table.size < kept && !isOver(record)) return
    table.remove(record.secret)
  }
}
