import type { Frozen } from '../../../support/freeze.js'
import { logEvent } from '../../instance/events/actions.js'
import type { NewEvent, OperationContext } from '../../shared/context.js'
import { presentLink } from '../links/rules.js'
import { summarizeFeature } from './present.js'
import type { FeatureRecord } from './schema.js'

type Stored = Frozen<FeatureRecord>

/** Logs something that happened to a feature, with the tags that it has by then. */
export function logFeatureEvent(context: OperationContext, { name, project, tags }: Stored, event: NewEvent): void {
  logEvent(context, { featureName: name, project, tags: [...tags], ...event })
}

/** Logs that a feature came to be, then each of its parents, strategies and links: one group of events. */
export function logCreation(context: OperationContext, feature: Stored): void {
  const groupId = context.ids.ulid(context.now.getTime())
  const log = (event: NewEvent) => logFeatureEvent(context, feature, { ...event, groupId })
  log({ type: 'feature-created', data: summarizeFeature(feature) })
  for (const { feature: parent, enabled = true, variants } of feature.dependencies) {
    const data = { feature: parent, enabled, ...(variants === undefined ? {} : { variants }) }
    log({ type: 'feature-dependency-added', data })
  }
  for (const { name: environment, strategies } of feature.environments) {
    for (const strategy of strategies) log({ type: 'feature-strategy-add', data: strategy, environment })
  }
  for (const link of feature.links) log({ type: 'feature-link-added', data: presentLink(link) })
}
