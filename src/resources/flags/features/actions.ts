import type { Frozen } from '../../../support/freeze.js'
import type { NewEvent, OperationContext } from '../../shared/context.js'
import type { Actor } from '../../shared/schema.js'
import { logFeatureEvent } from './log.js'
import type { FeatureRecord } from './schema.js'

type Stored = Frozen<FeatureRecord>

/** Something that happened to a feature. */
export type FeatureEvent = Pick<NewEvent, 'type' | 'data'> & Partial<Pick<NewEvent, 'preData' | 'environment'>>

/**
 * Puts a changed feature in place, the caller first among those who worked on it, and logs what happened, mostly as one
 * group of events. PermissionScope nothing happened, nothing is written.
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
  for (const event of events) logFeatureEvent(context, saved, { ...event, ...group })
  return saved
}

function withCaller(users: readonly Actor[], caller: Actor): Actor[] {
  return [caller, ...users.filter(({ id }) => id !== caller.id)]
}
