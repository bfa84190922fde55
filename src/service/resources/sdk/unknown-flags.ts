import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { grouped } from '../../../support/lists.js'
import { field, given, strictly } from '../shared/fields.js'
import { object } from '../shared/object.js'
import { instantSchema, named } from '../shared/schema.js'
import { defineTable } from '../shared/table.js'

const reportsSchema = z.array(
  z.object({
    appName: field(z.string(), 'The name of the application.'),
    environments: field(
      z.array(
        z.object({
          environment: field(z.string(), 'The name of the environment.'),
          seenAt: field(instantSchema.clone(), 'The time of the last report, in UTC with milliseconds.'),
        }),
      ),
      'The environment and the time of each report.',
    ),
  }),
)

/** A name in SDK reports without a feature. */
const unknownFlagSchema = object(() => ({
  name: field(z.string(), 'The name.'),
  reports: given(reportsSchema, strictly(reportsSchema), 'The applications that reported it.'),
}))

export type UnknownFlag = z.infer<typeof unknownFlagSchema>

export const unknownFlagsSchema = named('unknownFlagsResponseSchema', () => ({
  unknownFlags: z.array(unknownFlagSchema.extend({ lastSeenAt: instantSchema, lastEventAt: instantSchema.nullable() })),
}))

/** The maximum unknown flags. Reports of more are ignored. */
export const UNKNOWN_FLAGS_KEPT = 1000

/** The maximum applications of an unknown flag. The least recent reporter is dropped first. */
export const APPLICATIONS_KEPT = 1000

/** The reports of a flag with new ones: the latest per application and environment. */
export function withSightings(
  reports: Frozen<UnknownFlag['reports']>,
  sightings: readonly { appName: string; environment: string; timestamp: string }[],
): Frozen<UnknownFlag['reports']> {
  const byApplication = new Map(reports.map((report) => [report.appName, report.environments]))
  for (const [appName, own] of grouped(sightings, (sighting) => sighting.appName)) {
    const latest = new Map(byApplication.get(appName)?.map((one) => [one.environment, one]))
    for (const { environment, timestamp: seenAt } of own) {
      latest.delete(environment)
      latest.set(environment, { environment, seenAt })
    }
    byApplication.delete(appName)
    byApplication.set(appName, [...latest.values()])
  }
  const all = [...byApplication].map(([appName, environments]) => ({ appName, environments }))
  return all.slice(-APPLICATIONS_KEPT)
}

export function lastSeenAt({ reports }: Frozen<UnknownFlag>): string {
  const instants = reports.flatMap(({ environments }) => environments.map(({ seenAt }) => seenAt))
  return instants.toSorted().at(-1) ?? ''
}

export const unknownFlagTable = defineTable({
  meaning: 'Names of unknown features in SDK reports.',
  isReported: true,
  record: unknownFlagSchema,
  keyName: 'the name of an unknown flag',
  key: ({ name }) => name,
})
