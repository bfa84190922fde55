import type { Caller, SdkScope } from '../../shared/context.js'

/** The environment and the projects that the calling SDK can see. The authentication check has set them. */
export function sdkScope({ sdk }: Caller): SdkScope {
  if (sdk === undefined) throw new Error('An operation for SDKs was called without an SDK token.')
  return sdk
}
