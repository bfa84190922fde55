import * as z from 'zod'

/** A type of features, with how many days one of them is expected to live (null: for good). */
export const featureTypeSchema = z
  .object({
    id: z.string().min(1),
    name: z.string(),
    description: z.string(),
    lifetimeDays: z.int().min(0).nullable(),
  })
  .meta({ id: 'featureTypeSchema' })

export type FeatureType = z.infer<typeof featureTypeSchema>

export const featureTypesSchema = z
  .object({ version: z.literal(1), types: z.array(featureTypeSchema) })
  .meta({ id: 'featureTypesSchema' })

export const updateFeatureTypeLifetimeSchema = z
  .object({ lifetimeDays: z.int().min(0).max(2_147_483_647).nullable() })
  .meta({ id: 'updateFeatureTypeLifetimeSchema' })
