import * as z from 'zod'
import {
  asksFor,
  type Facets,
  filterBy,
  filterSchema,
  pagingShape,
  sortedPageOf,
  valuesOf,
} from '../../../support/filters.js'
import { mentionsOf } from '../../../support/text.js'
import { byEnvironment } from '../projects/environments.js'
import { countsOf } from '../sdk/client-metrics.operations.js'
import { ascending, byName, compareTexts, distinct } from '../shared/checks.js'
import type { AsCaller, OperationContext, Tables } from '../shared/context.js'
import { object } from '../shared/object.js'
import { pick } from '../shared/pick.js'
import { get, ok, operations } from '../shared/rows.js'
import { instantSchema, named, searchSchema } from '../shared/schema.js'
import { favoritesOfUser, isFavorite } from './favorites.model.js'
import { featureSchema, featureSettings, type StoredFeature } from './features.js'
import { presentFeatureEnvironment } from './features.model.js'
import { tagKey, tagSchema } from './tags.js'
import { presentTagOfFeature } from './tags.operations.js'

/** A filter by a list: its first item can be any text, and so can the whole list. */
const among = filterSchema('^(IS|IS_NOT|IS_ANY_OF|IS_NONE_OF):.*$')
const dated = filterSchema('^(IS_BEFORE|IS_ON_OR_AFTER):\\d{4}-\\d{2}-\\d{2}$')
const including = (values: string) =>
  filterSchema(`^(INCLUDE|DO_NOT_INCLUDE|INCLUDE_ALL_OF|INCLUDE_ANY_OF|EXCLUDE_IF_ANY_OF|EXCLUDE_ALL):${values}$`)

const featureFilters = {
  project: among,
  type: among,
  state: among,
  lifecycle: among,
  createdBy: among,
  tag: including('[^:,]+:.+'),
  segment: including('.*'),
  createdAt: dated,
  favorite: filterSchema('^(IS|IS_ANY_OF):(true|false)(,(true|false))*$'),
  archived: filterSchema('^IS:(true|false)$'),
}

const featureQuerySchema = object(() => ({
  ...featureFilters,
  lastSeenAt: dated,
  ...pagingShape,
  query: searchSchema.optional(),
  status: z.union([z.string(), z.array(z.string())]).optional(),
  sortBy: z.string().optional(),
  sortOrder: z.enum(['asc', 'desc']).optional(),
  favoritesFirst: z.string().optional(),
}))

type FeatureQuery = z.infer<typeof featureQuerySchema>

const foundEnvironmentSchema = named('foundEnvironmentSchema', () => ({
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
}))

const foundFeatureSchema = named(
  'foundFeatureSchema',
  () =>
    featureSchema
      .pick({
        name: true,
        ...featureSettings,
        project: true,
        favorite: true,
        createdAt: true,
        archivedAt: true,
        createdBy: true,
        lifecycle: true,
      })
      .extend({
        dependencyType: z.enum(['parent', 'child']).nullable(),
        environments: z.array(foundEnvironmentSchema),
        segments: z.array(z.string()),
        tags: z.array(tagSchema.extend({ color: z.string().nullable() })).optional(),
      }).shape,
)

type FoundFeature = z.infer<typeof foundFeatureSchema>

const searchFeaturesSchema = named('searchFeaturesSchema', () => ({
  features: z.array(foundFeatureSchema),
  total: z.int(),
}))

type Order = (one: StoredFeature, other: StoredFeature) => number

/** The features that match a query, unsorted. Includes archived features only if it asks for them. */
function findFeatures(query: FeatureQuery, { tables, caller }: AsCaller): StoredFeature[] {
  const hidesArchived = query.archived === undefined && !asksFor(query.lifecycle, 'archived')
  const passes = filterBy(query, facetsOf({ tables, caller }))
  const mentions = mentionsOf(query.query ?? '')
  const isMatch = environmentMatcher(query)
  return tables.features
    .list()
    .filter(
      (feature) =>
        !(hidesArchived && feature.archived) &&
        passes(feature) &&
        mentions([feature.name, feature.description]) &&
        (isMatch === undefined || feature.environments.some(isMatch)),
    )
}

type EnvironmentMatcher = (environment: StoredFeature['environments'][number]) => boolean

/** Tells whether an environment has one of the states (`development:enabled`) and the time that a query asks for, if it does. */
function environmentMatcher({ status = [], lastSeenAt }: FeatureQuery): EnvironmentMatcher | undefined {
  const wanted = new Set([status].flat().filter((one) => one.includes(':')))
  if (wanted.size === 0 && lastSeenAt === undefined) return undefined
  const wasSeen = filterBy<{ lastSeenAt: string | null }, 'lastSeenAt'>(
    { lastSeenAt },
    { lastSeenAt: (one) => (one.lastSeenAt === null ? [] : [one.lastSeenAt]) },
  )
  return (environment) => {
    const { name, enabled } = environment
    return (wanted.size === 0 || wanted.has(`${name}:${enabled ? 'enabled' : 'disabled'}`)) && wasSeen(environment)
  }
}

type TagMatcher = (tag: StoredFeature['tags'][number]) => boolean

/** Tells whether a tag is one that a query asks for, if the query asks for any of some tags. */
function tagMatcher({ tag: filter = '' }: FeatureQuery): TagMatcher | undefined {
  if (!/^INCLUDE(_ANY_OF)?:/.test(filter)) return undefined
  const wanted = new Set(valuesOf(filter))
  return (tag) => wanted.has(tagKey(tag))
}

interface Shown {
  isShown: EnvironmentMatcher
  isShownTag: TagMatcher
}

const all = () => true

/** Which environments and which tags of a found feature the response shows. */
function shownFor(query: FeatureQuery): Shown {
  return { isShown: environmentMatcher(query) ?? all, isShownTag: tagMatcher(query) ?? all }
}

function orderOf(query: FeatureQuery, { tables, caller }: AsCaller): Order {
  const inOrder = orderBy(query)
  if (query.favoritesFirst !== 'true') return inOrder
  const favorites = favoritesOfUser(tables, caller.id, 'feature')
  return (one, other) => Number(favorites.has(other.name)) - Number(favorites.has(one.name)) || inOrder(one, other)
}

function facetsOf({ tables, caller }: AsCaller): Facets<StoredFeature, keyof typeof featureFilters> {
  return {
    project: ({ project }) => [project],
    type: ({ type }) => [type],
    state: ({ stale }) => [stale ? 'stale' : 'active'],
    lifecycle: ({ archived, lifecycle }) => [archived ? 'archived' : lifecycle.stage],
    createdBy: ({ createdBy }) => [String(createdBy.id)],
    tag: ({ tags }) => tags.map(tagKey),
    segment: (feature) => segmentNames(feature, tables),
    createdAt: ({ createdAt }) => [createdAt],
    favorite: ({ name }) => [String(isFavorite(tables, caller.id, 'feature', name))],
    archived: ({ archived }) => [String(archived)],
  }
}

/** The distinct, sorted names of the segments in a feature's strategies. */
function segmentNames({ environments }: StoredFeature, tables: Tables): string[] {
  const ids = environments.flatMap(({ strategies }) => strategies.flatMap(({ segments }) => segments))
  return distinct(ids.flatMap((id) => tables.segments.get(id)?.name ?? []))
}

/** The sort keys of features, besides the time of creation. Missing values come last. */
const sortKeys: Readonly<Record<string, (feature: StoredFeature) => string | undefined>> = {
  name: ({ name }) => name.toLowerCase(),
  type: ({ type }) => type,
  project: ({ project }) => project,
  stale: ({ stale }) => String(stale),
  lastSeenAt: ({ environments }) =>
    environments
      .flatMap(({ lastSeenAt }) => lastSeenAt ?? [])
      .toSorted()
      .at(-1),
}

const ENVIRONMENT = 'environment:'

/** Compares features by the query's `sortBy`, then by the time of creation, then by name. */
function orderBy({ sortBy = '', sortOrder }: FeatureQuery): Order {
  const direction = sortOrder === 'desc' ? -1 : 1
  const byAge: Order = (one, other) => ascending(one.createdAt, other.createdAt)
  const key = sortBy.startsWith(ENVIRONMENT)
    ? enabledIn(sortBy.slice(ENVIRONMENT.length))
    : Object.hasOwn(sortKeys, sortBy)
      ? sortKeys[sortBy]
      : undefined
  if (key === undefined) return (one, other) => byAge(one, other) * direction || byName(one, other)
  const byKey = (one: string | undefined, other: string | undefined) =>
    one === undefined || other === undefined
      ? Number(one === undefined) - Number(other === undefined)
      : compareTexts(one, other) * direction
  return (one, other) => byKey(key(one), key(other)) || byAge(one, other) || byName(one, other)
}

function enabledIn(environment: string): (feature: StoredFeature) => string | undefined {
  return ({ environments }) => {
    const found = environments.find(({ name }) => name === environment)
    return found && String(found.enabled)
  }
}

/** A found feature with the environments and the tags that match the query. */
const presentFoundFeature = pick(
  foundFeatureSchema,
  (feature: StoredFeature, { tables, caller, now }: OperationContext, { isShown, isShownTag }: Shown) => ({
    favorite: isFavorite(tables, caller.id, 'feature', feature.name),
    dependencyType: dependencyType(feature, tables),
    environments: byEnvironment(feature.environments.filter(isShown), tables.environments).map((environment) => ({
      ...presentFeatureEnvironment(environment, tables),
      ...countsOf(tables, now, { featureName: feature.name, environment: environment.name }),
      changeRequestIds: [],
    })),
    segments: segmentNames(feature, tables),
    tags:
      feature.tags.length === 0 ? null : feature.tags.filter(isShownTag).map((tag) => presentTagOfFeature(tag, tables)),
  }),
)

/** `parent` if other features depend on this one, else `child` if it depends on others. */
function dependencyType({ name, dependencies }: StoredFeature, tables: Tables): FoundFeature['dependencyType'] {
  if (tables.features.count('parent', name) > 0) return 'parent'
  return dependencies.length > 0 ? 'child' : null
}

export const searchOperations = operations('Search', {
  searchFeatures: get('/api/admin/search/features', {
    summary: 'Search for features: filters, sorting, paging',
    query: featureQuerySchema,
    success: ok('A page of features, and the total', searchFeaturesSchema),
    run: ({ query, context }) => {
      const found = findFeatures(query, context)
      const page = sortedPageOf(found, orderOf(query, context), query, { usual: 50, most: 100 })
      const shown = shownFor(query)
      const features = page.map((feature) => presentFoundFeature(feature, context, shown))
      return { body: { features, total: features.length === 0 ? 0 : found.length } }
    },
  }),
})
