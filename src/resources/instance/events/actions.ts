import { type Frozen, none } from '../../../support/freeze.js'
import type { FeatureRecord } from '../../flags/features/schema.js'
import type { NewEvent, OperationContext } from '../../shared/context.js'
import { toInstant } from '../../shared/schema.js'
import { recordMessages } from '../addons/actions.js'
import type { EventRecord } from './schema.js'

/** A feature that an event is about. */
type Subject = Pick<Frozen<FeatureRecord>, 'name' | 'project' | 'tags'>

/**
 * Logs an event in the name of the caller and at the time of the world's clock. One about a feature has the tags that the
 * feature has now.
 */
export function logEvent(context: OperationContext, event: NewEvent, feature?: Subject): void {
  const { tables, caller, now } = context
  const record: EventRecord = {
    id: tables.events.nextId,
    type: event.type,
    createdBy: event.createdBy ?? caller.username,
    createdAt: toInstant(now),
    createdByUserId: event.createdByUserId ?? caller.id,
    data: event.data,
    preData: event.preData ?? null,
    tags: event.tags ?? [...(feature?.tags ?? none)],
    featureName: event.featureName ?? feature?.name ?? null,
    project: event.project === undefined ? (feature?.project ?? null) : event.project,
    environment: event.environment ?? null,
  }
  if (event.groupId !== undefined) {
    record.groupType = event.groupType ?? 'transaction'
    record.groupId = event.groupId
  }
  tables.events.append(record)
  if (tables.addons.size > 0) recordMessages(context, record)
}
