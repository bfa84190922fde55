import * as z from 'zod'

/** A feature or a project that is a favorite of a user. */
export const favoriteRecordSchema = z.object({
  userId: z.int(),
  kind: z.enum(['feature', 'project']),
  name: z.string(),
})

export type FavoriteRecord = z.infer<typeof favoriteRecordSchema>
