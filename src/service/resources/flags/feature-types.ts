import * as z from 'zod'
import { derived, optional } from '../shared/fields.js'
import { named } from '../shared/schema.js'
import { defineTable } from '../shared/table.js'

/** The IDs of the built-in types. Fixtures can add more. */
export const builtInFeatureTypes = [
  'release',
  'experiment',
  'operational',
  'kill-switch',
  'permission',
  'sunset',
] as const

/** A feature type, with the expected lifetime of its features in days (null: no limit). */
export const featureTypeSchema = named('featureTypeSchema', {
  id: z.string().min(1),
  name: derived(z.string(), ({ id }: { id: string }) => id),
  description: optional(z.string(), ''),
  lifetimeDays: optional(z.int().min(0).nullable(), null),
})

export const featureTypeTable = defineTable({
  record: featureTypeSchema,
  keyName: 'a type of features',
  key: ({ id }) => id,
})
