import { DAY } from '../../../support/duration.js'
import type { Frozen } from '../../../support/freeze.js'
import type { UserRecord } from '../users/schema.js'

/** How long users may be away until they count as inactive. */
const INACTIVE_AFTER = 180 * DAY

/** Whether a user neither joined nor signed in for a long time. Service accounts never count as inactive. */
export function isInactive({ accountType, seenAt, createdAt }: Frozen<UserRecord>, now: Date): boolean {
  const isLongAgo = (instant: string) => Date.parse(instant) < now.getTime() - INACTIVE_AFTER
  return accountType === 'User' && isLongAgo(createdAt) && (seenAt === null || isLongAgo(seenAt))
}
