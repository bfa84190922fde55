import type { Tables } from '../../shared/context.js'

/** Ends every login of a user, and every link by which they could choose a password. */
export function signOutEverywhere(tables: Tables, userId: number): void {
  for (const { secret } of tables.logins.by('user', userId)) tables.logins.remove(secret)
  for (const { secret } of tables.resetTokens.by('user', userId)) tables.resetTokens.remove(secret)
}
