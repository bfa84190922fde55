import * as z from 'zod'
import { field } from '../shared/fields.js'
import { object } from '../shared/object.js'
import { defineTable } from '../shared/table.js'

/** A user's favorite feature or project. */
const favoriteRecordSchema = object(() => ({
  userId: field(z.int(), 'The ID of the user.'),
  kind: field(z.enum(['feature', 'project']), 'The kind of favorite.'),
  name: field(z.string(), 'The name of the feature, or the ID of the project.'),
}))

export type FavoriteRecord = z.infer<typeof favoriteRecordSchema>

/** The key of a favorite: `3 feature checkout`. */
export function favoriteKey({ userId, kind, name }: FavoriteRecord): string {
  return `${userId} ${kind} ${name}`
}

export const favoriteTable = defineTable({
  meaning: "Users' favorite features and projects.",
  record: favoriteRecordSchema,
  keyName: 'a favorite',
  key: favoriteKey,
  indexes: { marked: ({ kind, name }) => [`${kind} ${name}`], user: ({ userId }) => [userId] },
  *references({ kind, name }) {
    yield { at: 'name', to: `${kind}s`, key: name }
  },
})
