import { found } from '../../contract/errors.js'
import type { Frozen } from '../../support/freeze.js'
import type { Key, Table } from './context.js'

/** The record with this key, or a 404 that names what is missing: `There is no segment "7".` */
export function findRecord<Item, ItemKey extends Key>(
  table: Pick<Table<Item, ItemKey>, 'get'>,
  key: ItemKey,
  what: string,
): Frozen<Item> {
  return found(table.get(key), () => `There is no ${what} "${key}".`)
}
