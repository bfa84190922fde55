import { type Frozen, none } from '../../../support/freeze.js'
import { emptyEnvironment } from '../../flags/features/rules.js'
import type { FeatureRecord } from '../../flags/features/schema.js'

type Feature = Frozen<FeatureRecord>

/** The feature in one more environment, with the strategies that it had there. `order` lists the names of all. */
export function connectFeature(feature: Feature, environment: string, order: readonly string[]): Feature {
  if (feature.environments.some(({ name }) => name === environment)) return feature
  const { detached = [], ...rest } = feature
  const strategies = detached.find(({ name }) => name === environment)?.strategies ?? none
  const environments = [...feature.environments, { ...emptyEnvironment(environment), strategies }].toSorted(
    (one, other) => order.indexOf(one.name) - order.indexOf(other.name),
  )
  const others = detached.filter(({ name }) => name !== environment)
  return { ...rest, environments, ...(others.length === 0 ? {} : { detached: others }) }
}

/** The feature without an environment. It keeps the strategies, in case it is connected again. */
export function disconnectFeature(feature: Feature, environment: string): Feature {
  const connected = feature.environments.find(({ name }) => name === environment)
  if (connected === undefined) return feature
  const environments = feature.environments.filter(({ name }) => name !== environment)
  const { strategies } = connected
  if (strategies.length === 0) return { ...feature, environments }
  return { ...feature, environments, detached: [...(feature.detached ?? []), { name: environment, strategies }] }
}
