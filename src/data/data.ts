import type { MockData } from './relations.js'
import type { DataWorld } from './source.js'

/**
 * The collections of each session. They are made when they are first asked for, and stay the same from then on. A mock
 * that is never asked for them doesn't load @msw/data.
 */
export class SessionData {
  readonly #opened = new WeakMap<object, Promise<MockData>>()

  /** The collections of a session. They ask for its current world whenever they are read. */
  of(session: object, currentWorld: () => DataWorld): Promise<MockData> {
    const opened = this.#opened.get(session) ?? open(currentWorld)
    this.#opened.set(session, opened)
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
