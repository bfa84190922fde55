import { badData, type Failure } from '../../../contract/errors.js'
import type { Tables } from '../../shared/context.js'

/** Rejects an e-mail or a username that another user already has. */
export function checkLoginIsFree(
  tables: Tables,
  { email, username }: { email: string | null; username: string | null },
  except?: number,
): Failure | undefined {
  const isTaken = (index: 'email' | 'username', value: string | null) =>
    value && tables.users.by(index, value).some(({ id }) => id !== except)
  if (isTaken('email', email)) {
    return badData(`A user with the e-mail "${email}" already exists.`, '/body/email')
  }
  if (isTaken('username', username)) {
    return badData(`A user with the username "${username}" already exists.`, '/body/username')
  }
  return undefined
}
