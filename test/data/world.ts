import { loadState } from '../../src/engine/state/load-state.js'
import type { PartialState } from '../../src/engine/state/partial-state.js'
import { WorldData } from '../../src/engine/state/state.js'
import { createIds } from '../../src/support/ids.js'

export const sample: PartialState = {
  environments: [{ name: 'development' }, { name: 'production' }],
  projects: [{ id: 'default', members: [{ id: 2, role: 1 }] }, { id: 'shop' }],
  roles: [
    { id: 1, name: 'Admin' },
    { id: 3, name: 'Viewer' },
  ],
  users: [
    { id: 1, name: 'Ada', rootRole: 1 },
    { id: 2, name: 'Bob', rootRole: 3 },
  ],
  signupTokens: [{ secret: 'open' }, { secret: 'used', users: [{ id: 1 }, { id: 2 }] }],
  segments: [
    { id: 1, name: 'all', project: null },
    { id: 2, name: 'customers', project: 'shop' },
  ],
  features: [
    { name: 'banner', stale: true },
    { name: 'checkout', project: 'shop', tags: [{ type: 'simple', value: 'money' }] },
    { name: 'basket', project: 'shop', stale: true, dependencies: [{ feature: 'checkout' }] },
  ],
  events: [{ id: 1, type: 'feature-created', featureName: 'banner' }],
}

/** A world for manual changes, and for a replacement by another world. */
export class FakeSession {
  #world = new WorldData()

  constructor(state: PartialState) {
    this.add(state)
  }

  readonly current = (): WorldData => this.#world

  startOver(state: PartialState): void {
    this.#world = new WorldData()
    this.add(state)
  }

  add(state: PartialState): void {
    loadState(this.#world, state, { now: new Date(0), ids: createIds(1), source: 'The test', replacesAll: false })
  }

  write(run: (tables: WorldData['tables']) => void): void {
    this.#world.transact(run)
  }
}
