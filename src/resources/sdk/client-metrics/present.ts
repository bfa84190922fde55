import type { Frozen } from '../../../support/freeze.js'
import { hoursBefore } from './rules.js'
import type { ClientMetricsRecord } from './schema.js'

type Metrics = readonly Frozen<ClientMetricsRecord>[]

/** The sums over all applications, one entry per environment. */
export function usageByEnvironment(metrics: Metrics) {
  return distinct(metrics, ({ environment }) => environment).map((environment) => {
    const own = metrics.filter((entry) => entry.environment === environment)
    const sum = (count: 'yes' | 'no') => own.reduce((total, entry) => total + entry[count], 0)
    return { environment, timestamp: own[0]?.timestamp, yes: sum('yes'), no: sum('no') }
  })
}

/** The metrics hour by hour, oldest first: one entry per environment and application, with zeros for hours without any. */
export function hourlyMetrics(metrics: Metrics, now: Date, hours: number) {
  const applications = distinct(metrics, ({ appName }) => appName)
  return hoursBefore(now, hours)
    .toReversed()
    .flatMap((timestamp) =>
      distinct(metrics, ({ environment }) => environment).flatMap((environment) =>
        applications.map((appName) => {
          const isMatch = (entry: Metrics[number]) =>
            entry.timestamp === timestamp && entry.environment === environment && entry.appName === appName
          const { featureName = '' } = metrics[0] ?? {}
          return metrics.find(isMatch) ?? { timestamp, no: 0, yes: 0, appName, environment, featureName }
        }),
      ),
    )
}

function distinct(metrics: Metrics, value: (entry: Metrics[number]) => string): string[] {
  return [...new Set(metrics.map(value))]
}
