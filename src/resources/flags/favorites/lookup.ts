import type { Tables } from '../../shared/context.js'
import { favoriteKey } from './rules.js'
import type { FavoriteRecord } from './schema.js'

/** Whether a user has marked a feature or a project as a favourite; nobody's favourites if no user is given. */
export function isFavorite(
  tables: Tables,
  userId: number | undefined,
  kind: FavoriteRecord['kind'],
  name: string,
): boolean {
  return userId !== undefined && tables.favorites.has(favoriteKey({ userId, kind, name }))
}

/** The keys of the marks that a feature or a project bears. */
export function favoritesOf(tables: Tables, kind: FavoriteRecord['kind'], name: string): string[] {
  return tables.favorites.by('marked', `${kind} ${name}`).map(favoriteKey)
}
