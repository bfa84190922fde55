import type { Frozen } from '../../../support/freeze.js'
import type { NewEvent, OperationContext } from '../../shared/context.js'
import type { EventRecord } from './schema.js'

/** Writes an event to the world's log, in the caller's name and at the world's time. */
export function logEvent({ tables, caller, now }: OperationContext, event: NewEvent): void {
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
}

/** The events that a caller may see, newest first: who is no admin sees those of projects only. */
export function visibleEvents({ tables, caller }: Pick<OperationContext, 'tables' | 'caller'>): Frozen<EventRecord>[] {
  const all = [...tables.events.newestFirst()]
  return caller.may('ADMIN') ? all : all.filter(({ project }) => project !== null)
}

/** The user that stands for admin API tokens. */
export const apiTokenUser = { id: -42, name: 'Unleash Admin Token' } as const

/** The user in whose name the service logs what nobody is signed in for. What they are called is the profile's affair. */
export const SYSTEM_USER = -1337

/** What that user is called as somebody who makes things. */
export const SYSTEM_NAME = 'Unleash System'
