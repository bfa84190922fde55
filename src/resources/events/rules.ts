import type { NewEvent, World } from '../world.js'
import type { EventRecord } from './schema.js'

/** Writes an event to the world's log, in the caller's name and at the world's time. */
export function logEvent(world: World, event: NewEvent): void {
  world.tables.events.append({
    createdBy: world.caller.username,
    createdByUserId: world.caller.id,
    preData: null,
    tags: [],
    featureName: null,
    project: null,
    environment: null,
    ...event,
    createdAt: world.now.toISOString(),
  } satisfies Omit<EventRecord, 'id'>)
}

/** In whose name the service logs what nobody is signed in for. */
export const systemUser = { createdBy: 'system', createdByUserId: -1337 } as const
