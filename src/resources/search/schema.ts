import * as z from 'zod'
import { instantSchema } from '../common.js'
import { eventSchema } from '../events/schema.js'
import { featureSchema } from '../features/schema.js'
import { pagingShape } from '../paging.js'
import { tagSchema } from '../tags/schema.js'
import { filterSchema } from './filters.js'

/** What features can be filtered by. */
export const featureFacets = [
  'project',
  'type',
  'state',
  'lifecycle',
  'createdBy',
  'tag',
  'segment',
  'createdAt',
  'lastSeenAt',
  'favorite',
  'archived',
] as const

/** What events can be filtered by. */
export const eventFacets = ['id', 'groupId', 'feature', 'project', 'type', 'createdBy', 'environment'] as const

/** A filter parameter for each of some names. */
function filters<Facet extends string>(facets: readonly Facet[]) {
  const optional = filterSchema.optional()
  return Object.fromEntries(facets.map((facet) => [facet, optional])) as Record<Facet, typeof optional>
}

export const featureQuerySchema = z.object({
  ...filters(featureFacets),
  ...pagingShape,
  query: z.string().optional(),
  status: z.union([z.string(), z.array(z.string())]).optional(),
  sortBy: z.string().optional(),
  sortOrder: z.string().optional(),
  favoritesFirst: z.string().optional(),
})

export type FeatureQuery = z.infer<typeof featureQuerySchema>

export const eventQuerySchema = z.object({
  ...filters(eventFacets),
  ...filters(['from', 'to'] as const),
  ...pagingShape,
  query: z.string().optional(),
})

export type EventQuery = z.infer<typeof eventQuerySchema>

const foundEnvironmentSchema = z
  .object({
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
  .meta({ id: 'foundEnvironmentSchema' })

/** A feature as search shows it. */
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

export const searchFeaturesSchema = z
  .object({ features: z.array(foundFeatureSchema), total: z.int() })
  .meta({ id: 'searchFeaturesSchema' })

export const eventSearchResponseSchema = z
  .object({ events: z.array(eventSchema.extend({ label: z.string(), summary: z.string() })), total: z.int() })
  .meta({ id: 'eventSearchResponseSchema' })
