import * as z from 'zod'
import { instantSchema } from '../../shared/schema.js'
import { featureLinkSchema } from '../links/schema.js'
import { strategySchema } from '../strategies/schema.js'
import { variantSchema } from '../variants/schema.js'
import { answeredEnvironmentSchema, featureSchema, listedFeatureSchema, projectFeaturesSchema } from './schema.js'

/** A feature in brief: as the running service answers who creates or clones it, and as its event tells of it. */
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
  .extend({ archivedAt: instantSchema.optional() })
  .meta({ id: 'featureSummarySchema' })

/** A feature as the running service reads it back. */
export const serviceFeatureSchema = featureSchema
  .omit({ enabled: true, archivedAt: true, lastSeenAt: true, variants: true, strategies: true, tags: true })
  .extend({
    favorite: z.boolean().optional().meta({ description: 'Only for users; an API token has no favourites' }),
    links: z.array(
      featureLinkSchema.extend({
        feature: z
          .string()
          .optional()
          .meta({ description: 'The name of the feature; not with variantEnvironments=true' }),
      }),
    ),
    environments: z.array(
      answeredEnvironmentSchema.pick({ lastSeenAt: true }).extend({
        name: z.string().nullable().meta({ description: 'null, like what follows from it, if it is in none' }),
        type: z.string().nullable(),
        enabled: z.boolean().nullable(),
        sortOrder: z.int().nullable(),
        yes: z.int().min(0),
        no: z.int().min(0),
        strategies: z.array(strategySchema),
        variants: z.array(variantSchema).optional().meta({ description: 'Only with variantEnvironments=true' }),
      }),
    ),
  })
  .meta({ id: 'serviceFeatureSchema' })

export type ServiceFeature = z.infer<typeof serviceFeatureSchema>

/** The features of a project as the running service lists them: tags only where there are any. */
export const serviceProjectFeaturesSchema = projectFeaturesSchema
  .extend({ features: z.array(listedFeatureSchema.partial({ tags: true })) })
  .meta({ id: 'serviceProjectFeaturesSchema' })
