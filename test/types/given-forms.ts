/** Handwritten state for the type checker. */
import type { PartialState } from '../../src/index.js'

export const lists: PartialState = { features: [{ name: 'x', enabled: true, environments: [{ name: 'production' }] }] }

export const objects: PartialState = {
  features: {
    'checkout-redesign': {
      enabled: false,
      environments: { production: { strategies: [{ name: 'default' }], variants: null } },
      stale: null,
    },
    'legacy-export': null,
  },
  projects: { default: { environments: ['development'], featureNaming: { pattern: '^a' } } },
}

// @ts-expect-error: strategies belong to environments
export const noStrategies: PartialState = { features: [{ name: 'x', strategies: 4 }] }

// @ts-expect-error: enabled is true or false
export const notEnabled: PartialState = { features: [{ name: 'x', enabled: 'yes' }] }

// @ts-expect-error: what a record needs can't be removed
export const noName: PartialState = { features: [{ name: null }] }

// @ts-expect-error: lists of names are lists
export const noToggles: PartialState = { projects: { default: { environments: { production: false } } } }

const byPosition = { x: { environments: { production: { strategies: { 0: { title: 'First' } } } } } }
// @ts-expect-error: strategies are a list, which is replaced
export const noPositions: PartialState['features'] = byPosition

// @ts-expect-error: no such field
export const noSuchField: PartialState = { features: { x: { nam: 'x' } } }
