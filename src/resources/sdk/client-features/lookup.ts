import type { Caller, SdkScope, Tables } from '../../shared/context.js'

/** The environment and the projects that the calling SDK can see. The authentication check has set them. */
export function sdkScope({ sdk }: Caller): SdkScope {
  if (sdk === undefined) throw new Error('An operation for SDKs was called without an SDK token.')
  return sdk
}

/** The id of the newest event about a feature or a segment. Every such event means a new revision for SDKs. */
export function revisionOf({ events }: Pick<Tables, 'events'>): number {
  for (const { id, type, featureName } of events.newestFirst()) {
    if (featureName !== null || type.startsWith('segment-')) return id
  }
  return 0
}
