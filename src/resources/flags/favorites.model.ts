import type { OperationContext, Tables } from '../shared/context.js'
import { type FavoriteRecord, favoriteKey } from './favorites.js'

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

type Kind = FavoriteRecord['kind']

/** Makes something a favorite of the caller. */
export function addFavorite({ tables, caller }: OperationContext, kind: Kind, name: string): void {
  tables.favorites.insert({ userId: caller.id, kind, name })
}

/** Removes something from the caller's favorites. */
export function removeFavorite({ tables, caller }: OperationContext, kind: Kind, name: string): void {
  tables.favorites.remove(favoriteKey({ userId: caller.id, kind, name }))
}
