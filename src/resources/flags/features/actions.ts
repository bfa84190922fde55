import type { Failure } from '../../../contract/errors.js'
import type { Reply } from '../../../contract/operation.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, ok, type Result } from '../../../support/result.js'
import { logEvent } from '../../instance/events/actions.js'
import type { NewEvent, OperationContext } from '../../shared/context.js'
import type { Actor } from '../../shared/schema.js'
import { presentLink } from '../links/present.js'
import { summarizeFeature } from './present.js'
import type { FeatureRecord } from './schema.js'

type Stored = Frozen<FeatureRecord>

/** Something that happened to a feature. */
export type FeatureEvent = Pick<NewEvent, 'type' | 'data'> & Partial<Pick<NewEvent, 'preData' | 'environment'>>

/**
 * Stores a changed feature, with the caller as its first collaborator, and logs the events, by default as one group.
 * Without events, writes nothing.
 */
export function saveFeature(
  context: OperationContext,
  feature: Stored,
  events: readonly FeatureEvent[],
  { asGroup = true }: { asGroup?: boolean } = {},
): Stored {
  if (events.length === 0) return feature
  const saved = { ...feature, collaborators: { users: withCaller(feature.collaborators.users, context.caller.actor) } }
  context.tables.features.replace(saved)
  const group = asGroup ? { groupId: context.ids.ulid(context.now.getTime()) } : {}
  for (const event of events) logEvent(context, { ...event, ...group }, saved)
  return saved
}

function withCaller(users: readonly Actor[], caller: Actor): Actor[] {
  return [caller, ...users.filter(({ id }) => id !== caller.id)]
}

/** Logs that a feature was created, then each of its parents, strategies and links, as one group of events. */
export function logCreation(
  context: OperationContext,
  feature: Stored,
  groupId = context.ids.ulid(context.now.getTime()),
): void {
  const log = (event: NewEvent) => logEvent(context, event, feature)
  log({ type: 'feature-created', data: summarizeFeature(feature), groupId })
  for (const { feature: parent, enabled = true, variants } of feature.dependencies) {
    const data = { feature: parent, enabled, ...(variants === undefined ? {} : { variants }) }
    log({ type: 'feature-dependency-added', data, groupId })
  }
  for (const { name: environment, strategies } of feature.environments) {
    for (const strategy of strategies) log({ type: 'feature-strategy-add', data: strategy, environment, groupId })
  }
  for (const link of feature.links) log({ type: 'feature-link-added', data: presentLink(link), groupId })
}

/** Does the same to several features. Stops at the first failure; then nothing is stored. */
export function forEachFeature<Item>(
  features: readonly Item[],
  act: (feature: Item) => Failure | undefined,
): Result<Reply, Failure> {
  for (const feature of features) {
    const failure = act(feature)
    if (failure) return fail(failure)
  }
  return ok({})
}
