import type { FavoriteRecord } from './schema.js'

/** The key of a favorite: `3 feature checkout`. */
export function favoriteKey({ userId, kind, name }: FavoriteRecord): string {
  return `${userId} ${kind} ${name}`
}
