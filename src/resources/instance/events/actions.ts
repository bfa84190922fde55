import { type Frozen, none } from '../../../support/freeze.js'
import { isObject } from '../../../support/json-path.js'
import type { FeatureRecord } from '../../flags/features/schema.js'
import type { NewEvent, OperationContext } from '../../shared/context.js'
import { toInstant } from '../../shared/schema.js'
import { recordMessages } from '../addons/actions.js'
import type { EventRecord } from './schema.js'

/** A feature that an event is about. */
type Subject = Pick<Frozen<FeatureRecord>, 'name' | 'project' | 'tags'>

/** Whether an event tells of a change that changes nothing. */
function changesNothing({ data, preData }: NewEvent): boolean {
  return Boolean(data) && Boolean(preData) && isSame(data, preData)
}

/** Whether two values are the same as JSON, whatever the order of properties. */
function isSame(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return JSON.stringify(one) === JSON.stringify(other)
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every((name) => isSame(one[name], other[name]))
}

/**
 * Logs an event, unless it tells of a change that changes nothing. It is logged in the name of the caller and at the time of the world's clock. One about a feature has the tags that the
 * feature has now.
 */
export function logEvent(context: OperationContext, event: NewEvent, feature?: Subject): void {
  if (changesNothing(event)) return
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
