import type { Frozen } from '../../support/freeze.js'
import { logEvent } from '../events/rules.js'
import type { World } from '../world.js'
import { summarizeFeature } from './present.js'
import type { FeatureRecord } from './schema.js'

/** Logs that a feature came to be, then each of its parents, then each of its strategies: one group of events. */
export function logCreation(world: World, feature: Frozen<FeatureRecord>): void {
  const { name: featureName, project } = feature
  const groupId = world.ids.ulid(world.now.getTime())
  logEvent(world, { type: 'feature-created', data: summarizeFeature(feature), featureName, project, groupId })
  for (const { feature: parent, enabled = true, variants } of feature.dependencies) {
    const data = { feature: parent, enabled, ...(variants === undefined ? {} : { variants }) }
    logEvent(world, { type: 'feature-dependency-added', data, featureName, project, groupId })
  }
  for (const { name: environment, strategies } of feature.environments) {
    for (const strategy of strategies) {
      logEvent(world, { type: 'feature-strategy-add', data: strategy, featureName, project, environment, groupId })
    }
  }
}

export function logArchiving(world: World, { name: featureName, project }: Frozen<FeatureRecord>): void {
  logEvent(world, { type: 'feature-archived', featureName, project, data: null })
}
