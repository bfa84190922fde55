import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { type JsonText, listText, objectText } from '../../../support/json.js'
import { beginsWith } from '../../../support/text.js'
import { uncached } from '../../store/cache.js'
import { byEnvironment } from '../projects/environments.js'
import { countsOf } from '../sdk/client-metrics.operations.js'
import type { AsCaller, OperationContext, Tables } from '../shared/context.js'
import { object } from '../shared/object.js'
import { get, operations, view } from '../shared/rows.js'
import { instantSchema, named } from '../shared/schema.js'
import { favoritesOfUser, isFavorite } from './favorites.model.js'
import { environmentOfFeatureSchema, featureSchema, type StoredFeature } from './features.js'
import {
  childrenOf,
  featurePath,
  findActiveInProject,
  presentFeature,
  presentFeatureEnvironment,
} from './features.model.js'
import { featureLinkSchema } from './links.js'
import { strategySchema } from './strategies.js'
import { inTagOrder, sentTagsSchema, tagKey } from './tags.js'
import { variantSchema } from './variants.js'

const listQuerySchema = object(() => ({
  namePrefix: z.string().optional(),
  tag: z.union([z.literal(''), sentTagsSchema]).optional(),
}))

type ListQuery = z.infer<typeof listQuerySchema>

const listedFeatureSchema = named(
  'projectFeatureSchema',
  () =>
    featureSchema
      .pick({
        type: true,
        description: true,
        favorite: true,
        name: true,
        createdAt: true,
        stale: true,
        impressionData: true,
        tags: true,
      })
      .extend({
        environments: z.array(
          environmentOfFeatureSchema
            .omit({ strategies: true, variants: true, featureName: true, environment: true })
            .extend({ lastSeenAt: instantSchema.nullable() }),
        ),
      }).shape,
)

export const projectFeaturesSchema = named('projectFeaturesSchema', () => ({
  version: z.literal(2),
  features: z.array(listedFeatureSchema),
}))

/** A feature in Unleash's list of a project: `tags` only if it has any. */
export const serviceListedFeatureSchema = listedFeatureSchema.partial({ tags: true })

const serviceProjectFeaturesSchema = named(
  'serviceProjectFeaturesSchema',
  () => projectFeaturesSchema.extend({ features: z.array(serviceListedFeatureSchema) }).shape,
)

/** One feature as in Unleash's response. */
const serviceFeatureSchema = named(
  'serviceFeatureSchema',
  () =>
    featureSchema
      .omit({ enabled: true, archivedAt: true, lastSeenAt: true, variants: true, strategies: true, tags: true })
      .extend({
        favorite: z.boolean().optional().meta({ description: 'Only for users; API tokens have no favorites' }),
        links: z.array(
          featureLinkSchema.extend({
            feature: z
              .string()
              .optional()
              .meta({ description: 'The name of the feature; absent with variantEnvironments=true' }),
          }),
        ),
        environments: z.array(
          z.object({
            lastSeenAt: instantSchema.nullable(),
            name: z.string(),
            type: z.string(),
            enabled: z.boolean(),
            sortOrder: z.int(),
            yes: z.int().min(0),
            no: z.int().min(0),
            strategies: z.array(strategySchema),
            variants: z.array(variantSchema).optional().meta({ description: 'Only with variantEnvironments=true' }),
          }),
        ),
      }).shape,
)

/** Tells whether a feature's name starts with the prefix, in any case, and whether it has a tag of the list (`simple:one`). */
function matcherOf({ namePrefix = '', tag }: ListQuery): (feature: StoredFeature) => boolean {
  const wanted = tag === undefined || tag === '' ? undefined : new Set([tag].flat())
  const prefix = namePrefix.trim() === '' ? '' : namePrefix
  return ({ name, tags }) =>
    beginsWith(name, prefix) && (wanted === undefined || tags.some((one) => wanted.has(tagKey(one))))
}

interface ReadFeature {
  feature: StoredFeature
  /** Whether the caller requested the variants of its environments. */
  withVariants: boolean
}

function presentServiceFeature(
  { feature, withVariants }: ReadFeature,
  { tables, caller, now }: OperationContext,
): Frozen<z.infer<typeof serviceFeatureSchema>> {
  const environments = byEnvironment(feature.environments, tables.environments).map((environment) => {
    const { name, type, enabled, sortOrder, lastSeenAt } = presentFeatureEnvironment(environment, tables)
    const { strategies, variants } = environment
    const counts = countsOf(tables, now, { featureName: feature.name, environment: name })
    return { name, lastSeenAt, enabled, ...counts, type, sortOrder, strategies, variants }
  })
  return {
    environments: environments.map(({ variants, ...shown }) => (withVariants ? { ...shown, variants } : shown)),
    name: feature.name,
    ...(caller.user === undefined ? {} : { favorite: isFavorite(tables, caller.id, 'feature', feature.name) }),
    impressionData: feature.impressionData,
    description: feature.description,
    project: feature.project,
    stale: feature.stale,
    createdAt: feature.createdAt,
    createdBy: feature.createdBy,
    type: feature.type,
    archived: feature.archived,
    dependencies: feature.dependencies,
    children: childrenOf(tables, feature.name),
    lifecycle: feature.lifecycle,
    links: withVariants ? feature.links : feature.links.map((link) => ({ ...link, feature: feature.name })),
    collaborators: feature.collaborators,
  }
}

/**
 * A feature as in the list of a project, with counts in place of strategies and variants. Written by hand, because lists
 * are long.
 */
function presentListedFeature(feature: StoredFeature, favorite: boolean, tables: Tables) {
  return {
    type: feature.type,
    description: feature.description,
    favorite,
    name: feature.name,
    createdAt: feature.createdAt,
    stale: feature.stale,
    impressionData: feature.impressionData,
    tags: feature.tags,
    environments: byEnvironment(feature.environments, tables.environments).map((environment) =>
      presentFeatureEnvironment(environment, tables),
    ),
  }
}

/** A feature as in Unleash's list: `tags` only if it has any. */
function presentServiceListedFeature(feature: StoredFeature, favorite: boolean, tables: Tables) {
  const { tags, ...listed } = presentListedFeature(feature, favorite, tables)
  return tags.length === 0 ? listed : { ...listed, tags: inTagOrder(tags) }
}

interface ListedFeatures {
  project: string
  query: ListQuery
  /** The other fields of the response. Default: the version. */
  around?: Readonly<Record<string, unknown>>
}

/** The features, each presented by `present`, with the fields around them. */
function listTextAs(name: string, present: (...args: Parameters<typeof presentListedFeature>) => object) {
  return ({ project, query, around = { version: 2 } }: ListedFeatures, { tables, caller }: AsCaller) => {
    const { features, environments, favorites } = tables
    const write = (isFavorite: boolean) =>
      features.cache.texts(`${name}, ${isFavorite}`, [environments.version], (feature: StoredFeature) =>
        JSON.stringify(present(feature, isFavorite, tables)),
      )
    return features.cache.answer(
      JSON.stringify([name, project, query, caller.id, Object.keys(around)]),
      [environments.version, favorites.version, JSON.stringify(around)],
      () => {
        const marked = favoritesOfUser(tables, caller.id, 'feature')
        const [plain, favorite] = [write(false), write(true)]
        const found = features.by('activeInProject', project).filter(matcherOf(query))
        const listed = found.map((feature) => (marked.has(feature.name) ? favorite(feature) : plain(feature)))
        return objectText({ ...around, features: listText(listed) })
      },
    )
  }
}

/** The features of a project as in Unleash's list, and in its health report. */
export const serviceListText = listTextAs('of the service', presentServiceListedFeature)

/** One feature in full. A feature with children shows their names, so only the text of a feature without children is cached. */
function featureText(feature: StoredFeature, { tables, caller }: OperationContext): JsonText {
  const { features, environments } = tables
  const name = `whole, ${isFavorite(tables, caller.id, 'feature', feature.name)}`
  const cache = features.count('parent', feature.name) === 0 ? features.cache : uncached
  const textOf = cache.texts(name, [environments.version], (one: StoredFeature) =>
    JSON.stringify(presentFeature(one, tables, caller.id)),
  )
  return textOf(feature)
}

const featureView = view<ReadFeature>({
  documented: {
    schema: featureSchema,
    present: ({ feature }, context) => featureText(feature, context),
  },
  'unleash-8': { schema: serviceFeatureSchema, present: presentServiceFeature },
})

const projectFeaturesView = view<ListedFeatures>({
  documented: {
    schema: projectFeaturesSchema,
    present: listTextAs('documented', presentListedFeature),
  },
  'unleash-8': {
    schema: serviceProjectFeaturesSchema,
    present: serviceListText,
  },
})

export const readingOperations = operations('Features', {
  getFeature: get(featurePath, {
    summary: 'Get a feature with its environments, strategies and variants',
    query: z.object({ variantEnvironments: z.string().optional() }),
    success: { status: 200, description: 'The feature', view: featureView },
    run: ({ params, query, tables }) => ({
      body: { feature: findActiveInProject(tables, params), withVariants: query.variantEnvironments === 'true' },
    }),
  }),

  getFeatures: get('/api/admin/projects/:projectId/features', {
    summary: 'List the active features of a project',
    query: listQuerySchema,
    success: { status: 200, description: 'The features', view: projectFeaturesView },
    errors: [],
    run: ({ params, query }) => ({ body: { project: params.projectId, query } }),
  }),
})
