import * as z from 'zod'
import { createTagTypeRecord } from './rules.js'
import { type TagType, tagTypeSchema } from './schema.js'

/** A type of tags as a fixture may give it: only its name is needed. */
export const tagTypeFixtureSchema = z.strictObject({ ...tagTypeSchema.partial().shape, name: z.string().min(1) })

/** The record that a fixture means. */
export function completeTagType(given: z.infer<typeof tagTypeFixtureSchema>): TagType {
  return createTagTypeRecord(given)
}
