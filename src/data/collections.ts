import { Collection } from '@msw/data'
import * as z from 'zod'
import { DataCollection } from './collection.js'
import type { AnyTables, RecordIn } from './definition.js'
import type { Commit, DataSource } from './source.js'
import { TableView } from './table-view.js'
import type { Marks } from './view.js'

/** Collections of every kind of record. */
export type Collections<Tables extends AnyTables> = {
  readonly [Name in keyof Tables]: DataCollection<RecordIn<Tables, Name>>
}

/** Collections that show what a source holds, and follow it. */
export async function createCollections<Tables extends AnyTables>(
  source: DataSource,
  tables: Tables,
): Promise<Collections<Tables>> {
  const views = new Map<string, TableView>()
  const marks = await readMarks()
  for (const [name, definition] of Object.entries(tables)) {
    views.set(name, new TableView(name, definition, { source, marks, tableNamed }))
  }

  function tableNamed(name: string): TableView {
    const view = views.get(name)
    if (view === undefined) throw new TypeError(`There is no table "${name}".`)
    return view
  }

  source.onCommit((commit) => {
    for (const [name, view] of views) if (commit === undefined || hasChanged(name, commit)) view.markChanged()
  })
  const collections = Object.entries(tables).map(([name, { schema }]) => {
    return [name, new DataCollection<object>(name, schema, () => tableNamed(name).all())] as const
  })
  return Object.freeze(Object.fromEntries(collections)) as Collections<Tables>
}

function hasChanged(name: string, { changes, events }: Commit): boolean {
  return changes.has(name) || (name === 'events' && events.length > 0)
}

/** Every record of @msw/data carries these two symbols, which it doesn't export. */
async function readMarks(): Promise<Marks> {
  const record = await new Collection({ schema: z.object() }).create({})
  const [key, relations] = Object.getOwnPropertySymbols(record)
  if (key === undefined || relations === undefined) throw new TypeError('@msw/data marks its records in another way.')
  return { key, relations }
}
