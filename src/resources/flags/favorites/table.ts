import type * as z from 'zod'
import { type FavoriteRecord, favoriteRecordSchema } from './schema.js'

/** A favourite as a fixture gives it. */
export const favoriteFixtureSchema = favoriteRecordSchema.strict()

/** The record that a fixture means. */
export function completeFavorite(given: z.infer<typeof favoriteFixtureSchema>): FavoriteRecord {
  return given
}
