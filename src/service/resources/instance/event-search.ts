import * as z from 'zod'
import { type Facets, filterBy, filterSchema, pageOf, pagingShape, valuesOf } from '../../../support/filters.js'
import { occursIn } from '../../../support/text.js'
import { badData, reject } from '../../contract/errors.js'
import type { AsCaller } from '../shared/context.js'
import { object } from '../shared/object.js'
import { get, ok, operations } from '../shared/rows.js'
import { named } from '../shared/schema.js'
import { describeEvent, eventSchema, type StoredEvent } from './events.js'
import { visibleEvents } from './events.operations.js'

const among = filterSchema('^(IS|IS_ANY_OF):.*$')
const onDay = filterSchema('^(IS):\\d{4}-\\d{2}-\\d{2}$')

const eventFilters = {
  id: among,
  groupId: among,
  feature: among,
  project: among,
  type: among,
  createdBy: among,
  environment: among,
}

const eventQuerySchema = object(() => ({
  ...eventFilters,
  from: onDay,
  to: onDay,
  ...pagingShape,
  query: z.string().optional(),
}))

const eventSearchResponseSchema = named('eventSearchResponseSchema', () => ({
  events: z.array(eventSchema.extend({ label: z.string(), summary: z.string() })),
  total: z.int(),
}))

const facets: Facets<StoredEvent, keyof typeof eventFilters> = {
  id: ({ id }) => [String(id)],
  groupId: ({ groupId }) => known(groupId),
  feature: ({ featureName }) => known(featureName),
  project: ({ project }) => known(project),
  type: ({ type }) => [type],
  createdBy: ({ createdByUserId }) => [String(createdByUserId)],
  environment: ({ environment }) => known(environment),
}

function known(value: string | null | undefined): string[] {
  return value === null || value === undefined ? [] : [value]
}

/** The visible events that match a query, newest first. */
function findEvents(query: z.infer<typeof eventQuerySchema>, context: AsCaller): StoredEvent[] {
  const passes = filterBy(query, facets)
  const text = query.query?.toLowerCase() ?? ''
  const [from] = valuesOf(query.from)
  const [to] = valuesOf(query.to)
  return visibleEvents(context).filter((event) => {
    const day = event.createdAt.slice(0, 10)
    return (
      passes(event) && (from === undefined || day >= from) && (to === undefined || day <= to) && contains(event, text)
    )
  })
}

/** Whether an event's data, previous data or tags contain a text. */
function contains({ data, preData, tags }: StoredEvent, text: string): boolean {
  return text === '' || occursIn(JSON.stringify([data, preData, tags]).toLowerCase(), text)
}

export const eventSearchOperations = operations('Search', {
  searchEvents: get('/api/admin/search/events', {
    summary: 'Search for events, newest first: filters, paging; each event with a label and a summary',
    query: eventQuerySchema,
    success: ok('A page of events, and the total', eventSearchResponseSchema),
    run: ({ query, context }) => {
      const strange = valuesOf(query.id).find((id) => !/^\d+$/.test(id))
      if (strange !== undefined) reject(badData(`"${strange}" is not the id of an event.`, '/query/id'))
      const found = findEvents(query, context)
      const page = pageOf(found, query, { usual: 50, most: 1000 })
      const events = page.map((event) => ({ ...event, ...describeEvent(event, context.baseUrl) }))
      return { body: { events, total: found.length } }
    },
  }),
})
