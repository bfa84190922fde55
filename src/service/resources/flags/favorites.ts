import * as z from 'zod'
import { defineTable } from '../shared/table.js'

/** A user's favorite feature or project. */
const favoriteRecordSchema = z.object({
  userId: z.int(),
  kind: z.enum(['feature', 'project']),
  name: z.string(),
})

export type FavoriteRecord = z.infer<typeof favoriteRecordSchema>

/** The key of a favorite: `3 feature checkout`. */
export function favoriteKey({ userId, kind, name }: FavoriteRecord): string {
  return `${userId} ${kind} ${name}`
}

export const favoriteTable = defineTable({
  record: favoriteRecordSchema,
  keyName: 'a favorite',
  key: favoriteKey,
  indexes: { marked: ({ kind, name }) => [`${kind} ${name}`], user: ({ userId }) => [userId] },
  *references({ kind, name }) {
    yield { at: 'name', to: `${kind}s`, key: name }
  },
})
