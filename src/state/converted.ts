import { createClock } from '../support/clock.js'
import { createIds } from '../support/ids.js'
import { loadState } from './load-state.js'
import { takeSnapshot, WorldData } from './state.js'

/**
 * Data that another version of flagdouble stored, checked and completed as a snapshot is: the shape of records may have
 * changed since. Throws `INVALID_STATE`, with the source in its message.
 */
export function converted(data: WorldData, source: string): WorldData {
  const current = new WorldData()
  const now = createClock().now()
  loadState(current, takeSnapshot(data), { now, ids: createIds(), source, replacesAll: true })
  return current
}
