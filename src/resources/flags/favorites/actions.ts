import type { OperationContext } from '../../shared/context.js'
import { favoriteKey } from './rules.js'
import type { FavoriteRecord } from './schema.js'

type Kind = FavoriteRecord['kind']

/** Makes something a favorite of the caller. */
export function addFavorite({ tables, caller }: OperationContext, kind: Kind, name: string): void {
  tables.favorites.insert({ userId: caller.id, kind, name })
}

/** Removes something from the caller's favorites. */
export function removeFavorite({ tables, caller }: OperationContext, kind: Kind, name: string): void {
  tables.favorites.remove(favoriteKey({ userId: caller.id, kind, name }))
}
