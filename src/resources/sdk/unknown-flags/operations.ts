import { ok } from '../../../support/result.js'
import { defineOperation } from '../../shared/operation.js'
import { lastSeenAt } from './rules.js'
import { unknownFlagsSchema } from './schema.js'

const getUnknownFlags = defineOperation({
  id: 'getUnknownFlags',
  method: 'GET',
  path: '/api/admin/metrics/unknown-flags',
  summary: 'The names that SDKs report and no feature has',
  tag: 'Metrics',
  success: { status: 200, description: 'The names, and where they were seen', schema: unknownFlagsSchema },
  run: ({ context: { tables } }) => {
    const unknown = tables.unknownFlags.list().filter(({ name }) => !tables.features.has(name))
    const lastEventAt = (wanted: string) => {
      for (const { featureName, createdAt } of tables.events.newestFirst()) if (featureName === wanted) return createdAt
      return null
    }
    const shown = unknown.map((flag) => ({
      ...flag,
      lastSeenAt: lastSeenAt(flag),
      lastEventAt: lastEventAt(flag.name),
    }))
    return ok({ body: { unknownFlags: shown.toSorted((one, other) => one.name.localeCompare(other.name)) } })
  },
})

export const unknownFlagOperations = [getUnknownFlags] as const
