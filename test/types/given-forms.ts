/** State as people write it: checked by the type checker. */
import type { PartialState } from '../../src/index.js'

export const lists: PartialState = { features: [{ name: 'x', enabled: true, environments: [{ name: 'production' }] }] }

export const objects: PartialState = {
  features: {
    'checkout-redesign': { enabled: false, environments: { production: { strategies: { 0: { title: 'First' } } } } },
    'legacy-export': null,
  },
  projects: { default: { environments: { production: false } } },
}

// @ts-expect-error: strategies belong to environments
export const noStrategies: PartialState = { features: [{ name: 'x', strategies: 4 }] }

// @ts-expect-error: enabled is true or false
export const notEnabled: PartialState = { features: [{ name: 'x', enabled: 'yes' }] }

// @ts-expect-error: no such field
export const noSuchField: PartialState = { features: { x: { nam: 'x' } } }
