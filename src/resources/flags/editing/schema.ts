import * as z from 'zod'
import { builtInFeatureTypes } from '../feature-types/schema.js'
import { batchFeaturesSchema, createFeatureSchemaWith } from '../features/schema.js'

/** What a client sends to change a feature to one of these types. */
export function updateFeatureSchemaWith(types: readonly string[]) {
  return createFeatureSchemaWith(types)
    .pick({ type: true, description: true, impressionData: true, stale: true, archived: true })
    .extend({ name: z.string().optional() })
}

export const updateFeatureSchema = updateFeatureSchemaWith(builtInFeatureTypes).meta({ id: 'updateFeatureSchema' })

export const batchStaleSchema = batchFeaturesSchema.extend({ stale: z.boolean() }).meta({ id: 'batchStaleSchema' })
