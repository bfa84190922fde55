import * as z from 'zod'

/** A feature or a project that is a favorite of a user. */
export const favoriteRecordSchema = z.object({
  /** The id of the user. */
  userId: z.int(),
  /** What is marked. */
  kind: z.enum(['feature', 'project']),
  /** The name of the feature, or the id of the project. */
  name: z.string(),
})

export type FavoriteRecord = z.infer<typeof favoriteRecordSchema>
