import { ok } from '../../support/result.js'
import { defineOperation } from '../define-operation.js'
import { eventsSchema } from './schema.js'

/** How many events the list answers. */
const NEWEST = 100

export const getEvents = defineOperation({
  id: 'getEvents',
  method: 'GET',
  path: '/api/admin/events',
  summary: 'The newest events, newest first',
  tag: 'Events',
  access: 'admin',
  permission: 'ADMIN',
  success: { status: 200, description: 'The newest events, at most 100', schema: eventsSchema },
  errors: [401, 403],
  run: ({ world }) => {
    const { events } = world.tables
    return ok({ body: { version: 1, events: events.newest(NEWEST), totalEvents: events.total } })
  },
})
