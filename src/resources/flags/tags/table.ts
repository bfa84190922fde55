import * as z from 'zod'
import type { Tag } from './schema.js'

/** A tag as a fixture may give it. */
export const tagFixtureSchema = z.strictObject({ type: z.string().min(1), value: z.string().min(1) })

/** The record that a fixture means. */
export function completeTag({ type, value }: z.infer<typeof tagFixtureSchema>): Tag {
  return { type, value }
}
