import type { DataSource } from './source.js'
import type { MockData } from './tables.js'

/**
 * The collections of a source. They are made when they are first asked for, and stay the same from then on.
 * A mock that is never asked for them doesn't load @msw/data.
 */
export function createData(source: DataSource): () => Promise<MockData> {
  let opened: Promise<MockData> | undefined
  return () => {
    opened ??= open(source)
    return opened
  }
}

async function open(source: DataSource): Promise<MockData> {
  const [{ createCollections }, { dataTables }] = await Promise.all([import('./collections.js'), import('./tables.js')])
  return createCollections(source, dataTables)
}
