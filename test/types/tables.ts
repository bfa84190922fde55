import * as z from 'zod'
import { defineTable } from '../../src/resources/shared/table.js'
import type { Tables } from '../../src/resources/tables.js'

/** Compiled, never run: an index, a kind of record or a need that is not declared is a type error. */
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

defineTable({
  record: z.object({ name: z.string() }),
  keyName: 'a thing',
  key: ({ name }) => name,
  indexes: {},
  fixture: z.object({ name: z.string() }),
  needs: ['users'],
  complete: ({ name }, { users }) => ({ name: users.get(1)?.name ?? name }),
})

defineTable({
  record: z.object({ name: z.string() }),
  keyName: 'a thing',
  key: ({ name }) => name,
  indexes: {},
  fixture: z.object({ name: z.string() }),
  needs: ['users'],
  // @ts-expect-error `complete` uses roles, which it doesn't declare as a need.
  complete: ({ name }, { roles }) => ({ name: roles.get(1)?.name ?? name }),
})
