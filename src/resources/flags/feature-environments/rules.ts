import type { Frozen } from '../../../support/freeze.js'
import type { FeatureRecord } from '../features/schema.js'
import type { Strategy } from '../strategies/schema.js'
import type { FeatureEnvironment } from './schema.js'

type Place = Pick<FeatureEnvironment, 'name' | 'strategies'>

/** The environments in which a feature has or can have strategies: those that it is in, and the detached ones. */
export function placesOf({
  environments,
  detached = [],
}: Frozen<Pick<FeatureRecord, 'environments' | 'detached'>>): Frozen<Place>[] {
  return [...environments, ...detached]
}

/** The strategies of a feature in an environment, whether it is connected to it or not. */
export function strategiesIn(feature: Frozen<FeatureRecord>, environment: string): Frozen<Strategy>[] {
  return [...(placesOf(feature).find(({ name }) => name === environment)?.strategies ?? [])]
}

/** The feature with other strategies in an environment, whether it is connected to it or not. */
export function withStrategies(
  feature: Frozen<FeatureRecord>,
  name: string,
  strategies: readonly Frozen<Strategy>[],
): Frozen<FeatureRecord> {
  const connected = feature.environments.find((one) => one.name === name)
  if (connected !== undefined) return replaceEnvironment(feature, { ...connected, strategies })
  const others = (feature.detached ?? []).filter((one) => one.name !== name)
  return { ...feature, detached: [...others, { name, strategies }] }
}

/** Whether a feature is on in an environment in which no enabled strategy is left. */
export function isOnWithoutStrategies({ environments }: Frozen<FeatureRecord>, environment: string): boolean {
  return environments.some(
    ({ name, enabled, strategies }) => name === environment && enabled && strategies.every(({ disabled }) => disabled),
  )
}

export function replaceEnvironment<Feature extends { environments: readonly Frozen<FeatureEnvironment>[] }>(
  feature: Feature,
  changed: Frozen<FeatureEnvironment>,
): Feature {
  const environments = feature.environments.map((one) => (one.name === changed.name ? changed : one))
  return { ...feature, environments }
}
