import { DAY } from '../../../support/duration.js'

/** SDKs that a world knows. Those not seen for longest are forgotten first. */
export const INSTANCES_KEPT = 1000

/** SDKs that are left when there were too many. */
export const INSTANCES_LEFT = 900

/** How long an SDK is known after it was last seen: as long as the statistics of the instance look back. */
export const INSTANCE_KEPT_FOR = 30 * DAY
