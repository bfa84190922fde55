import { Collection } from '@msw/data'
import * as z from 'zod'
import { DataCollection } from './collection.js'
import type { AnyTables, RecordIn } from './definition.js'
import { changes, type DataWorld } from './source.js'
import { TableView } from './table-view.js'
import type { Marks } from './view.js'

/** Collections of every kind of record. */
export type Collections<Tables extends AnyTables> = {
  readonly [Name in keyof Tables]: DataCollection<RecordIn<Tables, Name>>
}

/**
 * Collections that show the world that is the current one when they are read. Asking for it each time, they can't miss
 * that another one took its place: by a reset, by a scenario, or because a session was idle and was opened again.
 */
export async function createCollections<Tables extends AnyTables>(
  currentWorld: () => DataWorld,
  tables: Tables,
): Promise<Collections<Tables>> {
  const views = new Map<string, TableView>()
  const marks = await readMarks()
  let followed: DataWorld | undefined
  let unfollow = () => {}

  function world(): DataWorld {
    const current = currentWorld()
    if (current !== followed) {
      unfollow()
      for (const view of views.values()) view.markChanged()
      unfollow = current.onCommit((commit) => {
        for (const [name, view] of views) if (changes(commit, name)) view.markChanged()
      })
      followed = current
    }
    return current
  }

  function tableNamed(name: string): TableView {
    const view = views.get(name)
    if (view === undefined) throw new TypeError(`There is no table "${name}".`)
    return view
  }

  const collections = Object.entries(tables).map(([name, table]) => {
    const view = new TableView(name, table, { world, marks, tableNamed })
    views.set(name, view)
    return [name, new DataCollection<object>(name, table.record, () => view.all())] as const
  })
  return Object.freeze(Object.fromEntries(collections)) as Collections<Tables>
}

/** Every record of @msw/data carries these two symbols, which it doesn't export. */
async function readMarks(): Promise<Marks> {
  const record = await new Collection({ schema: z.object() }).create({})
  const [key, relations] = Object.getOwnPropertySymbols(record)
  if (key === undefined || relations === undefined) throw new TypeError('@msw/data marks its records in another way.')
  return { key, relations }
}
