import type { MockData } from './relations.js'
import type { DataWorld } from './source.js'

/**
 * Collections of the records of the current world. They are made when they are first asked for, and stay the same from
 * then on. A mock that is never asked for them doesn't load @msw/data.
 */
export function createData(currentWorld: () => DataWorld): () => Promise<MockData> {
  let opened: Promise<MockData> | undefined
  return () => {
    opened ??= open(currentWorld)
    return opened
  }
}

async function open(currentWorld: () => DataWorld): Promise<MockData> {
  const [{ createCollections }, { dataTables }] = await Promise.all([
    import('./collections.js'),
    import('./relations.js'),
  ])
  return createCollections(currentWorld, dataTables)
}
