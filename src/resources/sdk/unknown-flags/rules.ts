import type { Frozen } from '../../../support/freeze.js'
import type { UnknownFlag } from './schema.js'

/** Unknown flags that are kept. Reports of more are ignored. */
export const UNKNOWN_FLAGS_KEPT = 1000

interface Sighting {
  name: string
  appName: string
  environment: string
  seenAt: string
}

/** The reports of a flag with one more: the latest per application and environment. */
export function withSighting(known: Frozen<UnknownFlag> | undefined, seen: Sighting): UnknownFlag {
  const { name, appName, environment, seenAt } = seen
  const reports = known?.reports ?? []
  const own = reports.find((report) => report.appName === appName)?.environments ?? []
  const others = reports.filter((report) => report.appName !== appName)
  const environments = [...own.filter((one) => one.environment !== environment), { environment, seenAt }]
  return {
    name,
    reports: [...others, { appName, environments }].map((report) => ({
      ...report,
      environments: [...report.environments],
    })),
  }
}

/** When a flag was last seen anywhere. */
export function lastSeenAt({ reports }: Frozen<UnknownFlag>): string {
  const instants = reports.flatMap(({ environments }) => environments.map(({ seenAt }) => seenAt))
  return instants.toSorted().at(-1) ?? ''
}
