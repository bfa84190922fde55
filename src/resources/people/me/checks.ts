import { badData, type Failure } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import { checkStrength } from '../passwords/checks.js'
import { isPassword } from '../passwords/rules.js'
import type { UserRecord } from '../users/schema.js'

/** Rejects a change of a user's own password: the new one is weak, the two new ones differ, or the old one is wrong. */
export function checkPasswordChange(
  { passwordHash }: Frozen<UserRecord>,
  { password, confirmed, old }: { password: string; confirmed: string; old: string },
): Failure | undefined {
  const weak = checkStrength(password)
  if (weak) return weak
  if (password !== confirmed) return badData('The two new passwords differ.', '/body/confirmPassword')
  return isPassword(old, passwordHash) ? undefined : badData('The old password is wrong.', '/body/oldPassword')
}
