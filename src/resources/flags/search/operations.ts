import { pageOf } from '../../../support/paging.js'
import { ok } from '../../../support/result.js'
import { findEvents } from '../../instance/events/lookup.js'
import { describeEvent } from '../../instance/events/present.js'
import { defineOperation } from '../../shared/operation.js'
import { findFeatures } from './lookup.js'
import { presentFoundFeature } from './present.js'
import { eventQuerySchema, eventSearchResponseSchema, featureQuerySchema, searchFeaturesSchema } from './schema.js'

const row = { tag: 'Search', method: 'GET', access: 'admin' } as const

const searchFeatures = defineOperation({
  ...row,
  id: 'searchFeatures',
  path: '/api/admin/search/features',
  summary: 'Search for features: filters, sorting, paging',
  query: featureQuerySchema,
  success: { status: 200, description: 'A page of features, and the total', schema: searchFeaturesSchema },
  run: ({ query, context }) => {
    const found = findFeatures(query, context)
    const page = pageOf(found, query, { usual: 50, most: 100 })
    return ok({ body: { features: page.map((feature) => presentFoundFeature(feature, context)), total: found.length } })
  },
})

const searchEvents = defineOperation({
  ...row,
  id: 'searchEvents',
  path: '/api/admin/search/events',
  summary: 'Search for events, newest first: filters, paging; each event with a label and a summary',
  query: eventQuerySchema,
  success: { status: 200, description: 'A page of events, and the total', schema: eventSearchResponseSchema },
  run: ({ query, context }) => {
    const found = findEvents(query, context)
    const page = pageOf(found, query, { usual: 50, most: 1000 })
    const events = page.map((event) => ({ ...event, ...describeEvent(event, context.baseUrl) }))
    return ok({ body: { events, total: found.length } })
  },
})

export const searchOperations = [searchFeatures, searchEvents] as const
