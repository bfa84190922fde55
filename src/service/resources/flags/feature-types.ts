import * as z from 'zod'
import { derived, field, optional } from '../shared/fields.js'
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
export const featureTypeSchema = named('featureTypeSchema', () => ({
  id: field(z.string().min(1), 'The ID, such as `release`.'),
  name: derived(z.string(), ({ id }: { id: string }) => id, 'The display name. Default: the ID.'),
  description: optional(z.string(), '', 'The description.'),
  lifetimeDays: optional(
    z.int().min(0).nullable(),
    null,
    'The expected lifetime of its features in days; null for no limit.',
  ),
}))

export const featureTypeTable = defineTable({
  meaning: 'Types of features. Only `id` is needed.',
  record: featureTypeSchema,
  keyName: 'a type of features',
  key: ({ id }) => id,
})
