import { DAY, HOUR, intoCalendar } from '../../../support/calendar.js'
import type { Profile } from '../../contract/profile.js'
import type { StoredFeature } from '../flags/features.js'
import { byName } from '../shared/checks.js'
import type { AtATime, Tables } from '../shared/context.js'
import { toInstant } from '../shared/schema.js'
import type { ProjectRecord, StalenessCounts, StoredProject } from './projects.js'

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

/** The rating of a project without features, and of an unrated project. */
export const BEST_RATING: Rating = { health: 100, technicalDebt: 0 }

export function ratingNow(context: AtATime, project: string): Rating {
  return ratingFrom(stalenessOf(context, project))
}

function ratingFrom({ activeCount, staleCount, potentiallyStaleCount }: StalenessCounts): Rating {
  const count = activeCount + staleCount
  const percent = (part: number) => (count === 0 ? 0 : (part / count) * 100)
  const health = Math.round(100 - percent(staleCount) - percent(potentiallyStaleCount))
  return { health, technicalDebt: 100 - health }
}

/**
 * The rating in most responses, and the time of the project's last update. If a job rates projects, it is the rating of
 * the last full hour since the project's creation, and the job counts as an update.
 */
export function storedRating(
  project: StoredProject,
  { tables, now }: AtATime,
  { projects: { countsLater } }: Pick<Profile, 'projects'>,
): Rating & Pick<ProjectRecord, 'updatedAt'> {
  const { id, updatedAt } = project
  if (!countsLater) return { ...ratingNow({ tables, now }, id), updatedAt }
  const createdAt = Date.parse(project.createdAt)
  const hours = Math.floor((now.getTime() - createdAt) / HOUR)
  if (hours < 1) return { ...BEST_RATING, updatedAt }
  const ratedAt = createdAt + hours * HOUR
  const { features, featureTypes, events } = tables
  const counts = features.cache.answer(
    `staleness in ${id} when it was rated`,
    [featureTypes.version, events.version, ratedAt],
    () => countStale(featuresAt(tables, id, ratedAt), tables, ratedAt),
  )
  const rating = ratingFrom(counts)
  const at = toInstant(ratedAt)
  return { ...rating, updatedAt: updatedAt === null || updatedAt < at ? at : updatedAt }
}

/** The features that were active in a project just before a given time, with their stale state then. */
function featuresAt({ features, events }: Tables, project: string, at: number): Aging[] {
  const instant = toInstant(at)
  const wasStale = new Map<string, boolean>()
  const revived = new Set<string>()
  for (const { type, featureName, createdAt } of events.newestFirst()) {
    if (createdAt < instant) break
    if (featureName === null) continue
    if (type === 'feature-stale-on' || type === 'feature-stale-off') wasStale.set(featureName, type.endsWith('off'))
    if (type === 'feature-revived') revived.add(featureName)
  }
  const then = features.by('project', project).filter(({ name, createdAt, archivedAt }) => {
    const isGone = archivedAt !== null && archivedAt < instant
    return createdAt < instant && !isGone && !revived.has(name)
  })
  if (wasStale.size === 0) return then
  return then.map(({ name, stale, type, createdAt }) => ({ stale: wasStale.get(name) ?? stale, type, createdAt }))
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
