import { DAY, intoCalendar } from '../../../support/calendar.js'
import type { StoredFeature } from '../flags/features.js'
import { byName } from '../shared/checks.js'
import type { AtATime, Tables } from '../shared/context.js'
import { toInstant } from '../shared/schema.js'
import type { StalenessCounts } from './projects.js'

type Aging = Pick<StoredFeature, 'stale' | 'type' | 'createdAt'>

/** The numbers of active features that are stale, that aren't, and that have exceeded their type's lifetime. */
export function stalenessOf({ tables, now }: AtATime, project: string): StalenessCounts {
  const { features, featureTypes } = tables
  const at = now.getTime()
  return features.cache.answer(`staleness in ${project}`, [featureTypes.version, at], () =>
    countStale(features.by('activeInProject', project), tables, at),
  )
}

/** The latest creation time of features that have exceeded their type's lifetime. Undefined without a limit. */
function outlivedBound({ featureTypes }: Tables, type: string, at: number): string | undefined {
  const days = featureTypes.get(type)?.lifetimeDays ?? null
  return days === null ? undefined : toInstant(intoCalendar(at - days * DAY))
}

function countStale(features: readonly Aging[], tables: Tables, at: number): StalenessCounts {
  const staleCount = features.filter(({ stale }) => stale).length
  const bounds = new Map(tables.featureTypes.list().map(({ id }) => [id, outlivedBound(tables, id, at)]))
  const outlived = features.filter(({ stale, type, createdAt }) => !stale && createdAt <= (bounds.get(type) ?? ''))
  return { activeCount: features.length - staleCount, potentiallyStaleCount: outlived.length, staleCount }
}

/** The health of a project in percent; the technical debt is the rest. */
export interface Rating {
  health: number
  technicalDebt: number
}

/** The rating of a project. Unleash's job counts it once an hour; here it is always current. */
export function ratingOf(context: AtATime, project: string): Rating {
  const { activeCount, staleCount, potentiallyStaleCount } = stalenessOf(context, project)
  const count = activeCount + staleCount
  const percent = (part: number) => (count === 0 ? 0 : (part / count) * 100)
  const health = Math.round(100 - percent(staleCount) - percent(potentiallyStaleCount))
  return { health, technicalDebt: 100 - health }
}

/** For each feature of the type `release` of a project, archived or not, the days from its creation to its first start in production, and the average. */
export function leadTimes(tables: Tables, project: string) {
  const enabledAt = new Map<string, string>()
  for (const { type, project: of, environment, featureName, createdAt } of tables.events.newestFirst()) {
    const isProduction = environment !== null && tables.environments.get(environment)?.type === 'production'
    if (type !== 'feature-environment-enabled' || of !== project || !isProduction || featureName === null) continue
    // A deleted feature could have the same name.
    const created = tables.features.get(featureName)?.createdAt ?? createdAt
    if (createdAt >= created) enabledAt.set(featureName, createdAt)
  }
  const all = enabledAt.size === 0 ? [] : tables.features.by('project', project)
  const features = all.filter(({ type }) => type === 'release').toSorted(byName)
  const days = features.flatMap(({ name, createdAt }) => {
    const at = enabledAt.get(name)
    return at === undefined ? [] : [{ name, days: (Date.parse(at) - Date.parse(createdAt)) / DAY }]
  })
  const average = days.reduce((sum, one) => sum + one.days, 0) / days.length
  return {
    features: days.map((one) => ({ name: one.name, timeToProduction: Math.floor(one.days) })),
    projectAverage: days.length === 0 ? 0 : Math.ceil(average * 10) / 10,
  }
}
