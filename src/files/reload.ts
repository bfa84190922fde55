import type { Mock } from '../mock/mock.js'
import type { Sources } from './sources.js'

/**
 * Returns a function that reads a mock's sources again, and starts the mock over if they have changed. It resolves with
 * whether they have, one call after the other. It rejects, and the previous sources stay in use, if they are invalid.
 */
export function createReload(mock: Mock, first: Sources, read: () => Promise<Sources>): () => Promise<boolean> {
  let loaded = JSON.stringify(first)
  let reloading: Promise<unknown> = Promise.resolve()
  const reload = async () => {
    const before = loaded
    loaded = ''
    const sources = await read()
    const text = JSON.stringify(sources)
    if (text !== before) {
      mock.reload(sources)
      await mock.ready
    }
    loaded = text
    return text !== before
  }
  return () => {
    const next = reloading.then(reload)
    reloading = next.catch(() => undefined)
    return next
  }
}
