import { intoCalendar } from '../../../support/calendar.js'
import { DAY } from '../../../support/duration.js'
import type { Frozen } from '../../../support/freeze.js'
import type { OperationContext } from '../../shared/context.js'
import type { UserRecord } from '../users/schema.js'

/** How long such a link is good. */
const LINK_LASTS = DAY

/** A new link to a page where a user chooses a password; earlier ones of that user are good no more. */
export function resetLink(
  user: Frozen<UserRecord>,
  page: 'new-user' | 'reset-password',
  context: OperationContext,
): string {
  const { tables, caller, now, ids, baseUrl } = context
  for (const { secret } of tables.resetTokens.by('user', user.id)) tables.resetTokens.remove(secret)
  const secret = ids.hex(32)
  tables.resetTokens.insert({
    secret,
    userId: user.id,
    createdBy: caller.username,
    createdAt: now.toISOString(),
    expiresAt: new Date(intoCalendar(now.getTime() + LINK_LASTS)).toISOString(),
  })
  return `${baseUrl}/${page}?token=${secret}`
}
