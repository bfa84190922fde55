import * as z from 'zod'
import { ok } from '../../../support/result.js'
import type { Tables } from '../../shared/context.js'
import { defineOperation } from '../../shared/operation.js'
import { visibleEvents } from './lookup.js'
import { apiTokenUser, SYSTEM_NAME, SYSTEM_USER } from './rules.js'
import { eventCreatorsSchema, eventsSchema, featureEventsSchema } from './schema.js'

/** How many events the list answers. */
const NEWEST = 100

const row = { tag: 'Events', method: 'GET', access: 'admin' } as const

const getEvents = defineOperation({
  ...row,
  id: 'getEvents',
  path: '/api/admin/events',
  summary: 'The newest events, newest first',
  permission: 'ADMIN',
  success: { status: 200, description: 'The newest events, at most 100', schema: eventsSchema },
  errors: [],
  query: z.object({ project: z.string().optional() }),
  run: ({ query, context }) => {
    const { events } = context.tables
    if (query.project === undefined) {
      return ok({ body: { version: 1, events: events.newest(NEWEST), totalEvents: events.total } })
    }
    const all = [...events.newestFirst()].filter(({ project }) => project === query.project)
    return ok({ body: { version: 1, events: all.slice(0, NEWEST), totalEvents: all.length } })
  },
})

const getEventsForToggle = defineOperation({
  ...row,
  id: 'getEventsForToggle',
  path: '/api/admin/events/:featureName',
  summary: 'What happened to a feature, newest first',
  success: { status: 200, description: 'The events; none for an unknown name', schema: featureEventsSchema },
  errors: [],
  run: ({ params: { featureName: toggleName }, context }) => {
    const all = visibleEvents(context).filter(({ featureName }) => featureName === toggleName)
    return ok({ body: { version: 1, toggleName, events: all.slice(0, NEWEST), totalEvents: all.length } })
  },
})

const getEventCreators = defineOperation({
  ...row,
  id: 'getEventCreators',
  path: '/api/admin/event-creators',
  summary: 'In whose name events happened',
  success: {
    status: 200,
    description: 'Users, and the names that stand for tokens and the service',
    schema: eventCreatorsSchema,
  },
  errors: [],
  run: ({ context: { tables } }) => {
    const makers = new Map<number, string>()
    for (const { createdByUserId, createdBy } of tables.events.newestFirst()) {
      if (!makers.has(createdByUserId)) makers.set(createdByUserId, creatorName(createdByUserId, createdBy, tables))
    }
    const creators = [...makers].map(([id, name]) => ({ id, name }))
    return ok({ body: creators.toSorted((one, other) => one.id - other.id) })
  },
})

export const eventOperations = [getEvents, getEventsForToggle, getEventCreators] as const

/** The name of who made an event; what the event says of somebody who is gone. */
function creatorName(id: number, known: string, tables: Tables): string {
  if (id === apiTokenUser.id) return apiTokenUser.name
  if (id === SYSTEM_USER) return SYSTEM_NAME
  const user = tables.users.get(id)
  return user?.name || user?.username || user?.email || known
}
