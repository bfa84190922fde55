import * as z from 'zod'
import { defineTable } from '../../shared/table.js'
import { type FeatureType, featureTypeSchema } from './schema.js'

/** A type of features as a fixture may give it: only its id is needed. */
export const featureTypeFixtureSchema = z.strictObject({
  ...featureTypeSchema.partial().shape,
  /** Its id, such as `release`. */
  id: z.string().min(1),
})

/** The record that a fixture means. */
export function completeFeatureType(given: z.infer<typeof featureTypeFixtureSchema>): FeatureType {
  return {
    id: given.id,
    name: given.name ?? given.id,
    description: given.description ?? '',
    lifetimeDays: given.lifetimeDays ?? null,
  }
}

export const featureTypeTable = defineTable({
  record: featureTypeSchema,
  keyName: 'a type of features',
  key: ({ id }) => id,
  indexes: {},
  fixture: featureTypeFixtureSchema,
  complete: completeFeatureType,
})
