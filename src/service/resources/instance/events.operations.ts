import * as z from 'zod'
import { none } from '../../../support/freeze.js'
import { isObject } from '../../../support/json.js'
import { numberAfter } from '../../store/collection.js'
import type { StoredFeature } from '../flags/features.js'
import { inTagOrder } from '../flags/tags.js'
import type { AsCaller, NewEvent, OperationContext, Tables } from '../shared/context.js'
import { get, ok, operations } from '../shared/rows.js'
import { toInstant } from '../shared/schema.js'
import {
  apiTokenUser,
  eventCreatorsSchema,
  eventsSchema,
  featureEventsSchema,
  type StoredEvent,
  SYSTEM_NAME,
  SYSTEM_USER,
} from './events.js'

/** The events that a caller can see, newest first. Only admins see events outside of projects. */
export function visibleEvents({ tables, caller }: AsCaller): StoredEvent[] {
  const all = [...tables.events.newestFirst()]
  return caller.may('ADMIN') ? all : all.filter(({ project }) => project !== null)
}

/** Stands for the creator of events that no user caused. It sorts last. */
const NOBODY = Number.MAX_SAFE_INTEGER

function creatorName(id: number, { users }: Tables): string | undefined {
  if (id === apiTokenUser.id) return apiTokenUser.name
  if (id === SYSTEM_USER) return SYSTEM_NAME
  return users.get(id)?.name ?? undefined
}

/** The feature of an event. */
type EventSubject = Pick<StoredFeature, 'name' | 'project' | 'tags'>

/** The events that are always grouped alone, if a user causes them. Operations give other events their groups. */
const SINGLE = /^(context-field|tag-type)-(created|updated|deleted)$|^user-created$/

/** Whether two values are the same JSON, in any order of properties. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (Array.isArray(one) && Array.isArray(other) && one.length !== other.length) return false
  if (!isObject(one) || !isObject(other)) return JSON.stringify(one) === JSON.stringify(other)
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every((name) => isSame(one[name], other[name]))
}

/** Whether an event is logged: not if its change changes nothing. */
export function isLogged({ data, preData }: Pick<NewEvent, 'data' | 'preData'>): boolean {
  return !(data && preData && isSame(data, preData))
}

/**
 * Logs an event in the name of the caller, at the time of the world's clock, unless its change changes nothing. An event
 * about a feature has the feature's current tags.
 */
export function logEvent(context: OperationContext, event: NewEvent, feature?: EventSubject): void {
  if (event.preData && !isLogged(event)) return
  const { tables, caller, ids, now, logged } = context
  const tags = feature?.tags ?? none
  const isSingle = SINGLE.test(event.type) && caller.id !== SYSTEM_USER
  const { groupId = isSingle ? ids.ulid(now.getTime()) : undefined } = event
  const record: StoredEvent = {
    id: numberAfter(tables.events.nextId - 1, 'events'),
    type: event.type,
    createdBy: event.createdBy ?? caller.username,
    createdAt: toInstant(now),
    createdByUserId: event.createdByUserId ?? caller.id,
    data: event.data,
    preData: event.preData ?? null,
    tags: event.tags ?? (tags.length > 1 ? inTagOrder(tags) : tags),
    featureName: event.featureName ?? feature?.name ?? null,
    project: event.project === undefined ? (feature?.project ?? null) : event.project,
    environment: event.environment ?? null,
    ...(groupId === undefined ? {} : { groupType: event.groupType ?? 'transaction', groupId }),
  }
  tables.events.insert(record)
  logged.push(record)
}

/** The maximum events in the list of all. */
const NEWEST = 100

/** The maximum events in the list of a project or a feature. */
const NEWEST_OF_ONE = 50
export const eventOperations = operations('Events', {
  getEvents: get('/api/admin/events', {
    summary: 'List the newest events, newest first',
    permission: 'ADMIN',
    success: ok('The newest events: at most 100, or 50 of a project', eventsSchema),
    query: z.object({ project: z.string().optional() }),
    run: ({ query, context }) => {
      const { events } = context.tables
      if (query.project === undefined) {
        return { body: { version: 1, events: events.list().slice(-NEWEST).reverse(), totalEvents: events.total } }
      }
      const all = [...events.newestFirst()].filter(({ project }) => project === query.project)
      return { body: { version: 1, events: all.slice(0, NEWEST_OF_ONE), totalEvents: all.length } }
    },
  }),

  getEventsForToggle: get('/api/admin/events/:featureName', {
    summary: 'List the events of a feature, newest first',
    success: ok('The newest events, at most 50; none for an unknown name', featureEventsSchema),
    errors: [],
    run: ({ params: { featureName: toggleName }, context }) => {
      const ofFeature = context.tables.events.by('feature', toggleName).toReversed()
      const all = ofFeature.filter(({ project }) => project !== null || context.caller.may('ADMIN'))
      return { body: { version: 1, toggleName, events: all.slice(0, NEWEST_OF_ONE), totalEvents: all.length } }
    },
  }),

  getEventCreators: get('/api/admin/event-creators', {
    summary: 'List the users who caused events',
    success: ok('Users, and the names that represent tokens and the system', eventCreatorsSchema),
    run: ({ tables }) => {
      const names = new Map<number, string>()
      for (const { createdByUserId, createdBy } of tables.events.newestFirst()) {
        const id = createdByUserId ?? NOBODY
        if (!names.has(id)) names.set(id, creatorName(id, tables) ?? createdBy)
      }
      const creators = [...names].toSorted(([one], [other]) => one - other)
      return { body: creators.map(([id, name]) => ({ id: id === NOBODY ? 0 : id, name })) }
    },
  }),
})
