import type { Frozen } from '../../../support/freeze.js'
import type { OperationContext, Tables } from '../../shared/context.js'
import { hasExpired, isOver } from './rules.js'
import type { LoginRecord, ResetTokenRecord } from './schema.js'

/** The login with this secret, if it is still valid. */
export function findLogin(tables: Tables, secret: string, now: Date): Frozen<LoginRecord> | undefined {
  const login = tables.logins.get(secret)
  return login === undefined || isOver(login, now) ? undefined : login
}

/** The token of a reset link, if it is still valid. */
export function findResetToken(tables: Tables, secret: string, now: Date): Frozen<ResetTokenRecord> | undefined {
  const token = tables.resetTokens.get(secret)
  return token === undefined || hasExpired(token, now) ? undefined : token
}

/** The token with which a user can choose a password now. */
export function findResetLink(
  userId: number,
  { tables, now }: Pick<OperationContext, 'tables' | 'now'>,
): Frozen<ResetTokenRecord> | undefined {
  return tables.resetTokens.by('user', userId).find((token) => !hasExpired(token, now))
}
