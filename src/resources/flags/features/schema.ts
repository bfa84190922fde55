import * as z from 'zod'
import { actorSchema, instantSchema, sentInstantSchema } from '../../shared/schema.js'
import { dependencySchema } from '../dependencies/schema.js'
import { featureEnvironmentSchema } from '../feature-environments/schema.js'
import { lifecycleSchema } from '../lifecycle/schema.js'
import { featureLinkSchema } from '../links/schema.js'
import { strategySchema } from '../strategies/schema.js'
import { tagSchema } from '../tags/schema.js'
import { variantSchema } from '../variants/schema.js'
import { featureName } from './checks.js'

export const featureTypes = ['release', 'experiment', 'operational', 'kill-switch', 'permission', 'sunset'] as const

export const collaboratorsSchema = z.object({ users: z.array(actorSchema) }).meta({ id: 'collaboratorsSchema' })

/** A feature as it is stored, and as fixtures and snapshots hold it. */
export const featureRecordSchema = z.object({
  name: z.string(),
  type: z.string(),
  description: z.string().nullable(),
  project: z.string(),
  stale: z.boolean(),
  impressionData: z.boolean(),
  archived: z.boolean(),
  archivedAt: instantSchema.nullable(),
  createdAt: instantSchema,
  createdBy: actorSchema,
  lastSeenAt: instantSchema.nullable(),
  lifecycle: lifecycleSchema,
  /** The stages before this one, the first one first. */
  pastStages: z.array(lifecycleSchema),
  dependencies: z.array(dependencySchema),
  collaborators: collaboratorsSchema,
  tags: z.array(tagSchema),
  links: z.array(featureLinkSchema),
  environments: z.array(featureEnvironmentSchema),
})

export type FeatureRecord = z.infer<typeof featureRecordSchema>

const answeredStrategySchema = strategySchema
  .extend({ featureName: z.string() })
  .meta({ id: 'strategyOfFeatureSchema' })

export const answeredEnvironmentSchema = z
  .object({
    name: z.string(),
    featureName: z.string(),
    environment: z.string(),
    type: z.string(),
    enabled: z.boolean(),
    sortOrder: z.int(),
    variantCount: z.int(),
    strategies: z.array(answeredStrategySchema),
    variants: z.array(variantSchema),
    lastSeenAt: instantSchema.nullable(),
    hasStrategies: z.boolean(),
    hasEnabledStrategies: z.boolean(),
  })
  .meta({ id: 'featureEnvironmentSchema' })

/** A feature as it is answered, all of the document's fields. */
export const featureSchema = z
  .object({
    name: z.string(),
    type: z.string(),
    description: z.string().nullable(),
    archived: z.boolean(),
    project: z.string(),
    enabled: z.boolean(),
    stale: z.boolean(),
    favorite: z.boolean(),
    impressionData: z.boolean(),
    createdAt: instantSchema,
    createdBy: actorSchema,
    archivedAt: instantSchema.nullable(),
    lastSeenAt: instantSchema.nullable().meta({ deprecated: true }),
    environments: z.array(answeredEnvironmentSchema),
    variants: z.array(variantSchema).meta({ deprecated: true }),
    strategies: z.array(answeredStrategySchema).meta({ deprecated: true }),
    tags: z.array(tagSchema),
    children: z.array(z.string()),
    lifecycle: lifecycleSchema,
    dependencies: z.array(dependencySchema),
    collaborators: collaboratorsSchema,
  })
  .meta({ id: 'featureSchema' })

export type Feature = z.infer<typeof featureSchema>

export const listedFeatureSchema = featureSchema
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
      answeredEnvironmentSchema.omit({ strategies: true, variants: true, featureName: true, environment: true }),
    ),
  })
  .meta({ id: 'projectFeatureSchema' })

export const projectFeaturesSchema = z
  .object({ version: z.literal(2), features: z.array(listedFeatureSchema) })
  .meta({ id: 'projectFeaturesSchema' })

export const cloneFeatureSchema = z
  .object({
    name: featureName.schema.meta({ description: 'Name of the new feature' }),
    replaceGroupId: z
      .boolean()
      .optional()
      .meta({ description: 'Whether strategies take the new name as their group id. Default: true', default: true }),
  })
  .meta({ id: 'cloneFeatureSchema' })

export const createFeatureSchema = z
  .object({
    name: featureName.schema,
    type: z.enum(featureTypes).optional(),
    description: z.string().nullable().optional(),
    impressionData: z.boolean().optional(),
    stale: z.boolean().optional(),
    archived: z.boolean().optional(),
    createdAt: sentInstantSchema.optional(),
    tags: z.array(tagSchema).optional(),
  })
  .meta({ id: 'createFeatureSchema' })

export const updateFeatureSchema = createFeatureSchema
  .pick({ type: true, description: true, impressionData: true, stale: true, archived: true })
  .extend({ name: z.string().optional() })
  .meta({ id: 'updateFeatureSchema' })

export const validateFeatureSchema = z
  .object({ name: featureName.schema, projectId: z.string().nullable().optional() })
  .meta({ id: 'validateFeatureSchema' })

export const batchFeaturesSchema = z.object({ features: z.array(z.string()) }).meta({ id: 'batchFeaturesSchema' })

export const batchStaleSchema = batchFeaturesSchema.extend({ stale: z.boolean() }).meta({ id: 'batchStaleSchema' })

export const validateArchiveFeaturesSchema = z
  .object({ parentsWithChildFeatures: z.array(z.string()), hasDeletedDependencies: z.boolean() })
  .meta({ id: 'validateArchiveFeaturesSchema' })
