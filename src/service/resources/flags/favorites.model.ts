import { callingUser } from '../people/callers.js'
import type { OperationContext, Tables } from '../shared/context.js'
import { type FavoriteRecord, favoriteKey } from './favorites.js'

type FavoriteKind = FavoriteRecord['kind']

/** Whether a feature or a project is a favorite of a user; false without a user. */
export function isFavorite(tables: Tables, userId: number | undefined, kind: FavoriteKind, name: string): boolean {
  return userId !== undefined && tables.favorites.has(favoriteKey({ userId, kind, name }))
}

/** The names of a user's favorite features, or the IDs of their favorite projects. */
export function favoritesOfUser(tables: Tables, userId: number | undefined, kind: FavoriteKind): ReadonlySet<string> {
  const found = userId === undefined ? [] : tables.favorites.by('user', userId)
  return new Set(found.flatMap((favorite) => (favorite.kind === kind ? favorite.name : [])))
}

/** The keys of all users' favorites for a feature or a project. */
export function favoritesOf(tables: Tables, kind: FavoriteKind, name: string): string[] {
  return tables.favorites.by('marked', `${kind} ${name}`).map(favoriteKey)
}

export function addFavorite({ tables, caller }: OperationContext, kind: FavoriteKind, name: string): void {
  tables.favorites.replace({ userId: callingUser(caller).id, kind, name })
}

export function removeFavorite({ tables, caller }: OperationContext, kind: FavoriteKind, name: string): void {
  tables.favorites.remove(favoriteKey({ userId: callingUser(caller).id, kind, name }))
}
