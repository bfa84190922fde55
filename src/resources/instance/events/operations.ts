import { ok } from '../../../support/result.js'
import { defineOperation } from '../../shared/operation.js'
import { findEventCreators, visibleEvents } from './lookup.js'
import { eventCreatorsSchema, eventsQuerySchema, eventsSchema, featureEventsSchema } from './schema.js'

/** The maximum number of events in the list of all. */
const NEWEST = 100

/** The maximum number of events in the list of a project or a feature. */
const NEWEST_OF_ONE = 50

const row = { tag: 'Events', method: 'GET', access: 'admin' } as const

const getEvents = defineOperation({
  ...row,
  id: 'getEvents',
  path: '/api/admin/events',
  summary: 'The newest events, newest first',
  permission: 'ADMIN',
  success: { status: 200, description: 'The newest events: at most 100, or 50 of a project', schema: eventsSchema },
  query: eventsQuerySchema,
  run: ({ query, context }) => {
    const { events } = context.tables
    if (query.project === undefined) {
      return ok({ body: { version: 1, events: events.newest(NEWEST), totalEvents: events.total } })
    }
    const all = [...events.newestFirst()].filter(({ project }) => project === query.project)
    return ok({ body: { version: 1, events: all.slice(0, NEWEST_OF_ONE), totalEvents: all.length } })
  },
})

const getEventsForToggle = defineOperation({
  ...row,
  id: 'getEventsForToggle',
  path: '/api/admin/events/:featureName',
  summary: 'The events of a feature, newest first',
  success: {
    status: 200,
    description: 'The newest events, at most 50; none for an unknown name',
    schema: featureEventsSchema,
  },
  run: ({ params: { featureName: toggleName }, context }) => {
    const all = visibleEvents(context).filter(({ featureName }) => featureName === toggleName)
    return ok({ body: { version: 1, toggleName, events: all.slice(0, NEWEST_OF_ONE), totalEvents: all.length } })
  },
})

const getEventCreators = defineOperation({
  ...row,
  id: 'getEventCreators',
  path: '/api/admin/event-creators',
  summary: 'The users who caused events',
  success: {
    status: 200,
    description: 'Users, and the names that represent tokens and the service',
    schema: eventCreatorsSchema,
  },
  run: ({ context }) => ok({ body: findEventCreators(context.tables) }),
})

export const eventOperations = [getEvents, getEventsForToggle, getEventCreators] as const
