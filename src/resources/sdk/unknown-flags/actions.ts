import type { Tables } from '../../shared/context.js'
import { UNKNOWN_FLAGS_KEPT, withSighting } from './rules.js'

/** Records that an application has reported a flag that does not exist. */
export function recordUnknownFlag(
  { unknownFlags }: Tables,
  { featureName: name, appName, environment }: { featureName: string; appName: string; environment: string },
  seenAt: string,
): void {
  const known = unknownFlags.get(name)
  if (known === undefined && unknownFlags.size >= UNKNOWN_FLAGS_KEPT) return
  unknownFlags.replace(withSighting(known, { name, appName, environment, seenAt }))
}
