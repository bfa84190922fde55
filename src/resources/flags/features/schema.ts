import * as z from 'zod'
import { nameRule } from '../../shared/checks.js'
import { actorSchema, instantSchema, sentInstantSchema } from '../../shared/schema.js'
import { dependencySchema } from '../dependencies/schema.js'
import { featureEnvironmentSchema } from '../feature-environments/schema.js'
import { builtInFeatureTypes } from '../feature-types/schema.js'
import { lifecycleSchema } from '../lifecycle/schema.js'
import { featureLinkSchema } from '../links/schema.js'
import { strategySchema } from '../strategies/schema.js'
import { tagSchema } from '../tags/schema.js'
import { variantSchema } from '../variants/schema.js'

export const featureName = nameRule({ shortest: 1, longest: 100 })

const collaboratorsSchema = z
  .object({
    /** The users, with what is shown of them. */
    users: z.array(actorSchema),
  })
  .meta({ id: 'collaboratorsSchema' })

/** A feature as stored, and as snapshots contain it. */
export const featureRecordSchema = z.object({
  name: z.string(),
  type: z.string(),
  /** What it is for. Default: null. */
  description: z.string().nullable(),
  /** The id of its project. Default: `default`. */
  project: z.string(),
  /** Whether it is marked as stale. Default: false. */
  stale: z.boolean(),
  /** Whether SDKs report each evaluation. Default: false. */
  impressionData: z.boolean(),
  /** Whether it is archived. Default: whether there is an `archivedAt`. */
  archived: z.boolean(),
  archivedAt: instantSchema.nullable(),
  createdAt: instantSchema,
  createdBy: actorSchema,
  lastSeenAt: instantSchema.nullable(),
  lifecycle: lifecycleSchema,
  /** Earlier stages, oldest first. */
  pastStages: z.array(lifecycleSchema),
  dependencies: z.array(dependencySchema),
  /** The users who changed it. Default: its creator. */
  collaborators: collaboratorsSchema,
  tags: z.array(tagSchema),
  links: z.array(featureLinkSchema),
  environments: z.array(featureEnvironmentSchema),
  /** Strategies in environments that its project is not connected to. They return with the connection. */
  detached: z.array(featureEnvironmentSchema.pick({ name: true, strategies: true })).optional(),
})

export type FeatureRecord = z.infer<typeof featureRecordSchema>

const strategyOfFeatureSchema = strategySchema
  .extend({ featureName: z.string() })
  .meta({ id: 'strategyOfFeatureSchema' })

export const environmentOfFeatureSchema = z
  .object({
    name: z.string(),
    featureName: z.string(),
    environment: z.string(),
    type: z.string(),
    enabled: z.boolean(),
    sortOrder: z.int(),
    variantCount: z.int(),
    strategies: z.array(strategyOfFeatureSchema),
    variants: z.array(variantSchema),
    lastSeenAt: instantSchema.nullable(),
    hasStrategies: z.boolean(),
    hasEnabledStrategies: z.boolean(),
  })
  .meta({ id: 'featureEnvironmentSchema' })

/** A feature with all the fields that the document lists. Those that it lets be null have a value here all the same. */
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
    createdAt: instantSchema.nullable(),
    createdBy: actorSchema,
    archivedAt: instantSchema.nullable(),
    lastSeenAt: instantSchema.nullable().meta({ deprecated: true }),
    environments: z.array(environmentOfFeatureSchema),
    variants: z.array(variantSchema).meta({ deprecated: true }),
    strategies: z.array(strategyOfFeatureSchema).meta({ deprecated: true }),
    tags: z.array(tagSchema).nullable(),
    children: z.array(z.string()),
    lifecycle: lifecycleSchema,
    dependencies: z.array(dependencySchema),
    collaborators: collaboratorsSchema,
  })
  .meta({ id: 'featureSchema' })

export type Feature = z.infer<typeof featureSchema> & Pick<FeatureRecord, 'createdAt' | 'tags'>

/** A feature in brief: as events show it, and as the running service answers when a feature is created or changed. */
export const featureSummarySchema = featureSchema
  .pick({
    name: true,
    description: true,
    type: true,
    project: true,
    stale: true,
    createdAt: true,
    impressionData: true,
    archived: true,
  })
  .extend({ createdAt: instantSchema, archivedAt: instantSchema.optional() })
  .meta({ id: 'featureSummarySchema' })

/** What a client sends to create a feature of one of these types. */
export function createFeatureSchemaWith(types: readonly string[]) {
  return z.object({
    name: featureName.schema,
    type: z.enum(types).optional(),
    description: z.string().nullable().optional(),
    impressionData: z.boolean().optional(),
    stale: z.boolean().optional(),
    archived: z.boolean().optional(),
    createdAt: sentInstantSchema.optional(),
    tags: z.array(tagSchema).optional(),
  })
}

export const createFeatureSchema = createFeatureSchemaWith(builtInFeatureTypes).meta({ id: 'createFeatureSchema' })

export const validateFeatureSchema = z
  .object({ name: featureName.schema, projectId: z.string().nullable().optional() })
  .meta({ id: 'validateFeatureSchema' })

export const batchFeaturesSchema = z.object({ features: z.array(z.string()) }).meta({ id: 'batchFeaturesSchema' })
