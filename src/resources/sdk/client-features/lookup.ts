import type { Caller, SdkScope } from '../../shared/context.js'

/** What the calling SDK sees; the check of its key has put it there. */
export function sdkScope({ sdk }: Caller): SdkScope {
  if (sdk === undefined) throw new Error('An operation for SDKs was called by somebody else.')
  return sdk
}
