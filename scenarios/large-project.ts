import type { Scenario } from '../src/scenarios/scenario.js'

export const largeProject: Scenario = {
  name: 'large-project',
  title: 'A large project',
  promise: 'The project default has 500 additional generated features, always the same ones.',
  extends: 'default',
  generate: { features: 500 },
}
