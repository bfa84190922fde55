import * as z from 'zod'

export const validateArchiveFeaturesSchema = z
  .object({ parentsWithChildFeatures: z.array(z.string()), hasDeletedDependencies: z.boolean() })
  .meta({ id: 'validateArchiveFeaturesSchema' })
