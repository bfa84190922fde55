import type { Tables } from '../../src/service/resources/tables.js'

/** Compiled, never run: an index or a kind of record that is not declared is a type error. */
export function useTables(tables: Tables): void {
  tables.features.by('project', 'default')
  // @ts-expect-error `features` declares no such index.
  tables.features.by('owner', 'default')
  // @ts-expect-error `roles` declares no index at all.
  tables.roles.count('name', 'Admin')
  // @ts-expect-error There is no such table.
  tables.flags.list()
  // @ts-expect-error The key of a role is a number.
  tables.roles.get('3')
}
