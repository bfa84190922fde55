import type { Tables } from '../../shared/context.js'
import { favoriteKey } from './rules.js'
import type { FavoriteRecord } from './schema.js'

/** Whether a feature or a project is a favorite of a user; false if there is no user. */
export function isFavorite(
  tables: Tables,
  userId: number | undefined,
  kind: FavoriteRecord['kind'],
  name: string,
): boolean {
  return userId !== undefined && tables.favorites.has(favoriteKey({ userId, kind, name }))
}

/** The keys of the favorites of all users that name a feature or a project. */
export function favoritesOf(tables: Tables, kind: FavoriteRecord['kind'], name: string): string[] {
  return tables.favorites.by('marked', `${kind} ${name}`).map(favoriteKey)
}
