import type { Frozen } from '../../../support/freeze.js'
import type { EventRecord } from '../../instance/events/schema.js'
import type { Caller, SdkScope, Tables } from '../../shared/context.js'

/** The environment and the projects that the calling SDK can see. The authentication check has set them. */
export function sdkScope({ sdk }: Caller): SdkScope {
  if (sdk === undefined) throw new Error('An operation for SDKs was called without an SDK token.')
  return sdk
}

/** The revision of the features in an environment: the id of the newest event that can change what SDKs receive. */
export function revisionOf({ events }: Pick<Tables, 'events'>, environment: string): number {
  for (const event of events.newestFirst()) if (concernsSdks(event, environment)) return event.id
  return 0
}

/** Events about a feature that don't concern SDKs. */
const ASIDE = [
  'feature-favorited',
  'feature-unfavorited',
  'feature-link-added',
  'feature-link-updated',
  'feature-link-removed',
]

/** Events that concern SDKs although they are not about a feature. */
const OF_MANY = ['segment-updated', 'feature-import', 'features-imported']

function concernsSdks({ type, featureName, environment: where }: Frozen<EventRecord>, environment: string): boolean {
  if (OF_MANY.includes(type)) return true
  const isAside = ASIDE.includes(type) || type.startsWith('change-')
  return featureName !== null && !isAside && (where === null || where === environment)
}
