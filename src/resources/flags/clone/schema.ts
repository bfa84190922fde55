import * as z from 'zod'
import { featureName } from '../features/schema.js'

export const cloneFeatureSchema = z
  .object({
    name: featureName.schema.meta({ description: 'Name of the new feature' }),
    replaceGroupId: z
      .boolean()
      .optional()
      .meta({ description: 'Whether strategies take the new name as their group id. Default: true', default: true }),
  })
  .meta({ id: 'cloneFeatureSchema' })
