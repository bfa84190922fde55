import * as z from 'zod'
import { filterSchema, pagingShape } from '../../../support/filters.js'
import { eventSchema } from '../instance/events.js'
import { instantSchema, named } from '../shared/schema.js'
import { featureSchema } from './features.js'
import { tagSchema } from './tags.js'

/** Values as the service's document and messages show them, and the same in a form that is tested in linear time. */
interface SearchValues {
  shown: string
  tested: string
}

/** The first item of a list may be any text, so all of them together are any text in one line. */
const listOf = (item: string): SearchValues => ({ shown: `(.*?)(,(${item}))*`, tested: '.*' })

const names = listOf('[a-zA-Z0-9_]+')

/** A value may have commas and colons, so all tags after the first are a part of its value, up to a type with a line break. */
const tags: SearchValues = {
  shown: '([^:,]+:.+?)(,\\s*[^:,]+:.+?)*',
  tested: '[^:,]+:.+(,[^:,\\n\\r\\u2028\\u2029]*[\\n\\r\\u2028\\u2029][^:,]*:.+)*',
}

const DATE = '\\d{4}-\\d{2}-\\d{2}'

const listFilter = (operators: string, { shown, tested }: SearchValues) =>
  filterSchema(`^(${operators}):${shown}$`, `^(${operators}):${tested}$`)

const among = listFilter('IS|IS_NOT|IS_ANY_OF|IS_NONE_OF', names)
const anyOf = listFilter('IS|IS_ANY_OF', names)
const numbered = listFilter('IS|IS_ANY_OF', listOf('[0-9]+'))
const dated = filterSchema(`^(IS_BEFORE|IS_ON_OR_AFTER):${DATE}$`)
const onDay = filterSchema(`^(IS):${DATE}$`)
const including = (values: SearchValues) =>
  listFilter('INCLUDE|DO_NOT_INCLUDE|INCLUDE_ALL_OF|INCLUDE_ANY_OF|EXCLUDE_IF_ANY_OF|EXCLUDE_ALL', values)

const featureFilters = {
  project: among,
  type: among,
  state: among,
  lifecycle: among,
  createdBy: among,
  tag: including(tags),
  segment: including(names),
  createdAt: dated,
  lastSeenAt: dated,
  favorite: filterSchema('^(IS|IS_ANY_OF):(true|false)(,(true|false))*$'),
  archived: filterSchema('^IS:(true|false)$'),
}

export type FeatureFacet = keyof typeof featureFilters

const eventFilters = {
  id: numbered,
  groupId: numbered,
  feature: anyOf,
  project: anyOf,
  type: anyOf,
  createdBy: anyOf,
  environment: anyOf,
}

export type EventFacet = keyof typeof eventFilters

export const featureQuerySchema = z.object({
  ...featureFilters,
  ...pagingShape,
  query: z.string().optional(),
  status: z.union([z.string(), z.array(z.string())]).optional(),
  sortBy: z.string().optional(),
  sortOrder: z.enum(['asc', 'desc']).optional(),
  favoritesFirst: z.string().optional(),
})

export type FeatureQuery = z.infer<typeof featureQuerySchema>

export const eventQuerySchema = z.object({
  ...eventFilters,
  from: onDay,
  to: onDay,
  ...pagingShape,
  query: z.string().optional(),
})

export type EventQuery = z.infer<typeof eventQuerySchema>

const foundEnvironmentSchema = named('foundEnvironmentSchema', {
  name: z.string(),
  enabled: z.boolean(),
  type: z.string(),
  sortOrder: z.int(),
  variantCount: z.int(),
  lastSeenAt: instantSchema.nullable(),
  hasStrategies: z.boolean(),
  hasEnabledStrategies: z.boolean(),
  yes: z.int(),
  no: z.int(),
  changeRequestIds: z.array(z.int()),
})

const foundFeatureSchema = featureSchema
  .pick({
    type: true,
    description: true,
    project: true,
    favorite: true,
    name: true,
    createdAt: true,
    stale: true,
    archivedAt: true,
    impressionData: true,
    createdBy: true,
    lifecycle: true,
  })
  .extend({
    dependencyType: z.enum(['parent', 'child']).nullable(),
    environments: z.array(foundEnvironmentSchema),
    segments: z.array(z.string()),
    tags: z.array(tagSchema.extend({ color: z.string().nullable() })).optional(),
  })
  .meta({ id: 'foundFeatureSchema' })

export type FoundFeature = z.infer<typeof foundFeatureSchema>

export const searchFeaturesSchema = named('searchFeaturesSchema', {
  features: z.array(foundFeatureSchema),
  total: z.int(),
})

export const eventSearchResponseSchema = named('eventSearchResponseSchema', {
  events: z.array(eventSchema.extend({ label: z.string(), summary: z.string() })),
  total: z.int(),
})
