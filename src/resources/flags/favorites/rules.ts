import type { FavoriteRecord } from './schema.js'

/** The key of a favourite: `3 feature checkout`. */
export function favoriteKey({ userId, kind, name }: FavoriteRecord): string {
  return `${userId} ${kind} ${name}`
}
