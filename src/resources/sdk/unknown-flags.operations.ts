import type { Tables } from '../shared/context.js'
import { get, operations } from '../shared/rows.js'
import { lastSeenAt, UNKNOWN_FLAGS_KEPT, unknownFlagsSchema, withSighting } from './unknown-flags.js'

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

export const unknownFlagOperations = operations('Metrics', {
  getUnknownFlags: get('/api/admin/metrics/unknown-flags', {
    summary: 'The names that SDKs report and no feature has',
    success: { status: 200, description: 'The names, and where they were seen', schema: unknownFlagsSchema },
    run: ({ context: { tables } }) => {
      const unknown = tables.unknownFlags.list().filter(({ name }) => !tables.features.has(name))
      const lastEventAt = (wanted: string) => {
        for (const { featureName, createdAt } of tables.events.newestFirst())
          if (featureName === wanted) return createdAt
        return null
      }
      const shown = unknown.map((flag) => ({
        ...flag,
        lastSeenAt: lastSeenAt(flag),
        lastEventAt: lastEventAt(flag.name),
      }))
      return { body: { unknownFlags: shown.toSorted((one, other) => one.name.localeCompare(other.name)) } }
    },
  }),
})
