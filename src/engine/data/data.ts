import type { WorldData } from '../state/state.js'
import type { DataCollections } from './collections.js'
import type { MockData } from './relations.js'

/**
 * The collections of each session. The first call creates them, and they stay the same objects. A mock without such calls
 * doesn't load @msw/data.
 */
export class SessionData {
  readonly #opened = new WeakMap<object, Promise<DataCollections>>()

  /** The collections of a session, updated from its current world. */
  async collections(session: object, currentWorld: () => WorldData): Promise<MockData> {
    const opened = this.#opened.get(session) ?? open(currentWorld)
    this.#opened.set(session, opened)
    return (await opened).update()
  }
}

async function open(currentWorld: () => WorldData): Promise<DataCollections> {
  const { DataCollections } = await import('./collections.js')
  return new DataCollections(currentWorld)
}
