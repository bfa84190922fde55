import { loadGiven } from '../sessions/start.js'
import type { World } from '../sessions/world.js'
import { loadState } from '../state/load-state.js'
import { leftOutOf } from '../transfer/read-file.js'

// The steps that load data: of `mock.restore` and `mock.add`, and of the control API.

/** Replaces everything by a snapshot. Throws `INVALID_STATE`, and changes nothing, if it is invalid. */
export function replaceState(world: World, given: unknown): void {
  const cause = { what: 'restore', title: 'The data was replaced' }
  world.change(cause, () => load(world, given, { source: 'The snapshot', replacesAll: true }))
}

/** Adds seed data, or an export file of Unleash, as `replaceState` does. */
export function addState(world: World, given: unknown): void {
  const cause = { what: 'add', title: ['Records were added', ...leftOutOf(given)].join('; ') }
  world.change(cause, () => load(world, given, { source: 'The state', replacesAll: false }))
}

function load(world: World, given: unknown, options: { source: string; replacesAll: boolean }): void {
  const { data, clock, ids } = world.ready()
  loadGiven(
    given,
    options,
    () => world.snapshot(),
    (state, how) => loadState(data, state, { now: clock.now(), ids, ...how }),
  )
}
