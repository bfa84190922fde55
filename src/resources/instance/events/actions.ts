import type { NewEvent, OperationContext } from '../../shared/context.js'
import { recordMessages } from '../addons/actions.js'
import type { EventRecord } from './schema.js'

/** Logs an event, in the name of the caller and at the time of the world's clock. */
export function logEvent(context: OperationContext, event: NewEvent): void {
  const { tables, caller, now } = context
  const record: EventRecord = {
    id: tables.events.nextId,
    type: event.type,
    createdBy: event.createdBy ?? caller.username,
    createdAt: now.toISOString(),
    createdByUserId: event.createdByUserId ?? caller.id,
    data: event.data,
    preData: event.preData ?? null,
    tags: event.tags ?? [],
    featureName: event.featureName ?? null,
    project: event.project ?? null,
    environment: event.environment ?? null,
  }
  if (event.groupId !== undefined) {
    record.groupType = event.groupType ?? 'transaction'
    record.groupId = event.groupId
  }
  tables.events.append(record)
  if (tables.addons.size > 0) recordMessages(context, record)
}
