import type { Frozen } from '../../../support/freeze.js'
import { view } from '../../shared/operation.js'
import type { FoundEnvironment } from './lookup.js'
import { type FeatureEnvironment, readEnvironmentSchema, serviceReadEnvironmentSchema } from './schema.js'

export const readEnvironmentView = view<FoundEnvironment>({
  documented: {
    schema: readEnvironmentSchema,
    present: ({ feature: { name }, environment }) => present(name, environment),
  },
  'unleash-8': {
    schema: serviceReadEnvironmentSchema,
    present: ({ feature: { name }, environment }) => ({
      ...present(name, environment),
      strategies: environment.strategies.map(({ segments: _, ...strategy }) => ({ ...strategy, featureName: name })),
    }),
  },
})

function present(name: string, { name: environment, enabled, strategies }: Frozen<FeatureEnvironment>) {
  return { name, environment, enabled, strategies }
}
