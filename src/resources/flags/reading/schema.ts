import * as z from 'zod'
import { environmentOfFeatureSchema, featureSchema } from '../features/schema.js'
import { featureLinkSchema } from '../links/schema.js'
import { strategySchema } from '../strategies/schema.js'
import { variantSchema } from '../variants/schema.js'

export const listQuerySchema = z.object({
  namePrefix: z.string().optional(),
  tag: z.union([z.string(), z.array(z.string())]).optional(),
})

export type ListQuery = z.infer<typeof listQuerySchema>

const listedFeatureSchema = featureSchema
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
      environmentOfFeatureSchema.omit({ strategies: true, variants: true, featureName: true, environment: true }),
    ),
  })
  .meta({ id: 'projectFeatureSchema' })

export const projectFeaturesSchema = z
  .object({ version: z.literal(2), features: z.array(listedFeatureSchema) })
  .meta({ id: 'projectFeaturesSchema' })

/** A feature of a project as the running service lists it: `tags` only if there are any. */
export const serviceListedFeatureSchema = listedFeatureSchema.partial({ tags: true })

/** The features of a project as the running service lists them. */
export const serviceProjectFeaturesSchema = projectFeaturesSchema
  .extend({ features: z.array(serviceListedFeatureSchema) })
  .meta({ id: 'serviceProjectFeaturesSchema' })

/** One feature as the running service answers it. */
export const serviceFeatureSchema = z.lazy(() =>
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
        environmentOfFeatureSchema.pick({ lastSeenAt: true }).extend({
          name: z
            .string()
            .nullable()
            .meta({ description: 'null, as are the fields below, if it is in no environment' }),
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
    .meta({ id: 'serviceFeatureSchema' }),
)

export type ServiceFeature = z.infer<typeof serviceFeatureSchema>
