import type { Shapes } from '../../../contract/profile.js'
import type { Frozen } from '../../../support/freeze.js'
import type { FeatureEnvironment } from './schema.js'

type Stored = Frozen<FeatureEnvironment>

/** A feature in one environment, as it is read alone. */
export const presentReadEnvironment: Readonly<Record<Shapes, (name: string, environment: Stored) => unknown>> = {
  document: (name, { name: environment, enabled, strategies }) => ({ name, environment, enabled, strategies }),
  service: (name, { name: environment, enabled, strategies }) => ({
    name,
    environment,
    enabled,
    strategies: strategies.map(({ segments: _, ...strategy }) => ({ ...strategy, featureName: name })),
  }),
}
