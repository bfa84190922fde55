import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { instantSchema, named, strictly } from '../shared/schema.js'
import { defineTable } from '../shared/table.js'

/** A name that SDKs report and no feature has. */
const unknownFlagSchema = z.object({
  name: z.string(),
  reports: z.array(
    z.object({
      appName: z.string(),
      environments: z.array(
        z.object({
          environment: z.string(),
          seenAt: instantSchema,
        }),
      ),
    }),
  ),
})

export type UnknownFlag = z.infer<typeof unknownFlagSchema>

export const unknownFlagsSchema = named('unknownFlagsResponseSchema', {
  unknownFlags: z.array(unknownFlagSchema.extend({ lastSeenAt: instantSchema, lastEventAt: instantSchema.nullable() })),
})

/** Unknown flags that are kept. Reports of more are ignored. */
export const UNKNOWN_FLAGS_KEPT = 1000

/** The reports of a flag with one more: the latest per application and environment. */
export function withSighting(
  known: Frozen<UnknownFlag> | undefined,
  { name, appName, environment, seenAt }: Record<'name' | 'appName' | 'environment' | 'seenAt', string>,
): Frozen<UnknownFlag> {
  const reports = known?.reports ?? []
  const own = reports.find((report) => report.appName === appName)?.environments ?? []
  const others = reports.filter((report) => report.appName !== appName)
  const environments = [...own.filter((one) => one.environment !== environment), { environment, seenAt }]
  return { name, reports: [...others, { appName, environments }] }
}

export function lastSeenAt({ reports }: Frozen<UnknownFlag>): string {
  const instants = reports.flatMap(({ environments }) => environments.map(({ seenAt }) => seenAt))
  return instants.toSorted().at(-1) ?? ''
}

export const unknownFlagTable = defineTable({
  record: unknownFlagSchema,
  keyName: 'the name of an unknown flag',
  key: ({ name }) => name,
  indexes: {},
  fixture: strictly(unknownFlagSchema),
  complete: (given) => given,
})
