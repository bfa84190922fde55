import type { Failure } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import { checkStrength, checkUnused } from '../passwords/checks.js'
import { isPassword } from '../passwords/rules.js'
import type { UserRecord } from '../users/schema.js'

/**
 * Rejects a change of a user's own password: the two new ones differ, or the old one is missing; the new one is weak; the
 * old one is wrong; the new one was used before.
 */
export function checkPasswordChange(
  user: Frozen<UserRecord>,
  { password, confirmed, old }: { password: string; confirmed: string | undefined; old: string | undefined },
): Failure | undefined {
  if (password !== confirmed) return incomplete('The two new passwords differ.')
  if (old === undefined) return incomplete('The old password is missing.')
  const weak = checkStrength(password)
  if (weak) return weak
  if (!isPassword(old, user.passwordHash)) return { kind: 'passwordMismatch', message: 'The old password is wrong.' }
  return checkUnused(password, user)
}

function incomplete(message: string): Failure {
  return { kind: 'nothingToChange', message, details: [{ message, path: '/body' }] }
}
