import { DAY } from '../../../support/duration.js'
import type { OperationContext, Tables } from '../../shared/context.js'
import type { StalenessCounts } from './schema.js'

/** The numbers of active features that are stale, that are not, and that have outlived their type's lifetime. */
export function stalenessOf(
  { tables, now }: Pick<OperationContext, 'tables' | 'now'>,
  project: string,
): StalenessCounts {
  const features = tables.features.by('activeInProject', project)
  const staleCount = features.filter(({ stale }) => stale).length
  const outlived = features.filter(({ stale, type, createdAt }) => {
    const days = tables.featureTypes.get(type)?.lifetimeDays ?? null
    return !stale && days !== null && now.getTime() - Date.parse(createdAt) > days * DAY
  })
  return { activeCount: features.length - staleCount, potentiallyStaleCount: outlived.length, staleCount }
}

/** How many days after their creation the features of a project were first enabled in production, and the average. */
export function leadTimes(tables: Tables, project: string) {
  const enabledAt = new Map<string, string>()
  for (const { type, project: of, environment, featureName, createdAt } of tables.events.newestFirst()) {
    const isProduction = environment !== null && tables.environments.get(environment)?.type === 'production'
    if (type !== 'feature-environment-enabled' || of !== project || !isProduction || featureName === null) continue
    enabledAt.set(featureName, createdAt)
  }
  const days = tables.features.by('activeInProject', project).flatMap(({ name, createdAt }) => {
    const at = enabledAt.get(name)
    return at === undefined ? [] : [{ name, days: (Date.parse(at) - Date.parse(createdAt)) / DAY }]
  })
  const average = days.reduce((sum, one) => sum + one.days, 0) / days.length
  return {
    features: days.map((one) => ({ name: one.name, timeToProduction: Math.round(one.days) })),
    projectAverage: days.length === 0 ? 0 : Math.ceil(average * 10) / 10,
  }
}
