import * as z from 'zod'

/** That a user has marked a feature, or a project, as a favourite. */
export const favoriteRecordSchema = z.object({
  userId: z.int(),
  kind: z.enum(['feature', 'project']),
  name: z.string(),
})

export type FavoriteRecord = z.infer<typeof favoriteRecordSchema>
