import type { Frozen } from '../../../support/freeze.js'
import type { FeatureEnvironment } from './schema.js'

/** The feature with one of its environments replaced. */
export function replaceEnvironment<Feature extends { environments: readonly Frozen<FeatureEnvironment>[] }>(
  feature: Feature,
  changed: Frozen<FeatureEnvironment>,
): Feature {
  const environments = feature.environments.map((one) => (one.name === changed.name ? changed : one))
  return { ...feature, environments }
}
